"""The server side of one browser tab: state and history, controls, cache, link, files and background work."""
