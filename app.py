"""Start here: streamlit run app.py."""

import logging

import streamlit as st
from starlette.middleware import Middleware

from svmlab.lab import frame
from svmlab.lab.board import component, live
from svmlab.lab.frame import crowd, flat, prepare, serving, work
from svmlab.lab.session import mishap

if __name__ == "__main__":  # what runs for each visitor
    frame.route()
else:  # what the server serves
    frame.served()
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("uvicorn.access").disabled = True  # whatever started it: requests are a proxy's to log
    app = st.App(
        __file__,
        routes=[live.route(), *prepare.routes(), work.route()],
        middleware=[Middleware(crowd.Room), Middleware(flat.Flat), Middleware(component.Kept)],
        on_script_error=mishap.escaped,
        lifespan=serving.life,
    )
