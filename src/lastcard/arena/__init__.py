"""The arena: fair matches between agents on mirrored deals, and what can honestly be said of them."""
