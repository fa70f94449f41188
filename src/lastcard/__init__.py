"""A UNO engine and an AI that plays it."""
