"""The entry of the app, started by: streamlit run app.py."""

import logging

import streamlit as st
from starlette.middleware import Middleware

from svmlab.lab import frame
from svmlab.lab.board import component, drag_socket
from svmlab.lab.frame import (
    base_path,
    compile_in_background,
    connection_limits,
    language,
    server_lifecycle,
    share,
    visitor_cookie,
    work_progress,
)
from svmlab.lab.home import search
from svmlab.lab.room import member
from svmlab.lab.session import unexpected_errors

if __name__ == "__main__":  # this part runs for each visitor
    frame.run_page()
else:  # this part defines what the server serves
    frame.prepare_server()
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("uvicorn.access").disabled = True  # however it was started, because a proxy logs the requests
    app = st.App(
        __file__,
        routes=[
            drag_socket.route(),
            *compile_in_background.routes(),
            work_progress.route(),
            search.route(),
            share.route(),
            *member.routes(language.server_language),
        ],
        middleware=[
            Middleware(connection_limits.WebSocketLimit),
            Middleware(connection_limits.BodyLimit),
            Middleware(visitor_cookie.VisitorCookie),
            Middleware(base_path.RedirectToSinglePart),
            Middleware(component.ImmutableFiles),
        ],
        on_script_error=unexpected_errors.show_uncaught,
        lifespan=server_lifecycle.lifespan,
    )
