"""Runs as one self-contained HTML page: tables, comparisons, and what happened in each episode."""

from mobile_gym.evaluation.html.page import PictureChoice, Report, write_report

__all__ = ["PictureChoice", "Report", "write_report"]
