"""measure.py's parts: a request read, a model built, a run watched, a row written."""
