"""Task graphs: recorded trajectories of a task merged into nodes and edges (ElderBench, section 4.2.2, appendix H)."""
