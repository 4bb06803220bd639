"""Start here: streamlit run app.py."""

import streamlit as st

from svmlab.lab import frame
from svmlab.lab.board import live

if __name__ == "__main__":  # what runs for each visitor
    frame.route()
else:  # what the server serves
    app = st.App(__file__, routes=[live.route()])
