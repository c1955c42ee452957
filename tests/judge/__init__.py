"""Version 0.2.0 and this tree play the same vectors, faults and worlds: `nox -s judge`. It goes when 0.3.0 is cut."""
