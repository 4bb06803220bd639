"""The statements as cards, each checked on the present board."""
