"""What takes longer than a test may: run by the nox session `soak`."""
