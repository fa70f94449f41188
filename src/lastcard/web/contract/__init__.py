"""Models of everything that travels between server and client."""
