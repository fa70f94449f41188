"""The web table: people play agents in a browser, and see what a search makes of what they see.

It needs the extra `web`, which `import lastcard` does not load.
"""
