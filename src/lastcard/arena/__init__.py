"""The arena: fair matches between agents on mirrored deals, with statistics."""
