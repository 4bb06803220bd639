"""What can go wrong around a server, done to it: one module for each kind of fault."""
