"""Finding out from the service's histories whether a call was executed."""
