"""Speed of the engine, in CPU time, as ratios within one run."""
