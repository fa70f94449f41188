"""Explanations: one decision of one search, as steps that people can follow."""
