"""HTTP routes, the socket and the page."""
