"""Searches on behalf of people, and the threads that run them."""
