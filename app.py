"""Start here: streamlit run app.py."""

import streamlit as st

from svmlab.ui import frame, live, prepare

if __name__ == "__main__":  # what runs for each visitor
    frame.route()
else:  # what the server serves
    app = st.App(__file__, routes=[live.route()], lifespan=prepare.prepared)
