"""Start here: streamlit run app.py."""

from svmlab.ui import frame

frame.route()
