"""The web table: people play against agents in a browser, with the analysis of a search beside it.

A request goes down this way: `server`, `api`, `service`, then `games` for one that is played or `finished` for one that
is over. `contract` has the models of all that is sent.

It needs the extra `web`, which `import lastcard` does not load.
"""
