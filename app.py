"""Start here: streamlit run app.py."""

import logging

import streamlit as st

from svmlab.lab import frame
from svmlab.lab.board import live
from svmlab.lab.frame import prepare
from svmlab.lab.session import mishap

if __name__ == "__main__":  # what runs for each visitor
    frame.route()
else:  # what the server serves
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s")
    routes = [live.route(), prepare.route()]
    app = st.App(__file__, routes=routes, on_script_error=mishap.escaped, lifespan=prepare.prepared)
