"""The guide: what the marks and figures mean."""

import streamlit as st

from svmlab.lab import frame, text

session = frame.enter()
frame.keep_link(session)
st.markdown(text.GUIDE)
st.page_link("pages/lab.py", label=text.TO_LAB)
