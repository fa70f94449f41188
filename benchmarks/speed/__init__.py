"""How fast the engine is, in CPU time, as ratios within one run."""
