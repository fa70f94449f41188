"""Threads in which agents decide, in fair shares."""
