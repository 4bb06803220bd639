"""What one tab has on the server: state and history, controls, cache, link, files, background work."""
