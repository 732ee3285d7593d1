"""What `dumpsys` prints for each service."""
