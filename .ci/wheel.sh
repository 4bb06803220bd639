#!/usr/bin/env bash
# The project as others get it: a wheel in a fresh environment, once with the app and once without, far from the checkout.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
.venv/bin/pip wheel --quiet --disable-pip-version-check --no-deps -w "$work" .
wheel=$(echo "$work"/svmlab-*.whl)

python3 -m venv "$work/bare"
"$work/bare/bin/pip" install --quiet --disable-pip-version-check --no-compile "$wheel"
(cd "$work" && bare/bin/python - <<'PY'
import importlib.util
import svmlab

assert "site-packages" in svmlab.__file__, svmlab.__file__
assert all(importlib.util.find_spec(name) is None for name in ("streamlit", "plotly", "segno")), "an interface came along"
solution = svmlab.solve(svmlab.Problem(svmlab.Dataset([[1, 0], [-1, 0]], [1, -1])))
assert solution.proven and solution.alpha.tolist() == [0.5, 0.5], solution.alpha
PY
)

python3 -m venv "$work/lab"
"$work/lab/bin/pip" install --quiet --disable-pip-version-check --no-compile "$wheel[lab]"
mkdir "$work/elsewhere"
cp -r "$root/app.py" "$root/pages" "$root/.streamlit" "$work/elsewhere"
cd "$work/elsewhere"
"$work/lab/bin/python" - <<'PY'
import re
import socket
import subprocess
import sys
import time
import urllib.request

import svmlab
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.testing.v1 import AppTest
from websockets.sync.client import connect

assert "site-packages" in svmlab.__file__, svmlab.__file__
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
server = subprocess.Popen([sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)])
try:
    base = f"http://127.0.0.1:{port}"
    for _ in range(600):
        try:
            urllib.request.urlopen(f"{base}/_stcore/health", timeout=1).read()
            break
        except OSError:
            assert server.poll() is None, "the app did not start from the wheel"
            time.sleep(0.1)
    with connect(f"{base}/_stcore/stream".replace("http", "ws"), max_size=None) as page:
        page.send(BackMsg(rerun_script={"widget_states": {}}).SerializeToString())
        name = ""
        while not name.startswith("svmlab.board-"):
            shown = ForwardMsg.FromString(page.recv(60)).delta.new_element.bidi_component
            name = shown.component_name

    def fetched(path):
        with urllib.request.urlopen(f"{base}/_stcore/bidi-components/{name}/{path}") as answer:
            return answer.headers["Content-Type"], answer.read().decode()

    kind, script = fetched(shown.js_source_path)
    assert "javascript" in kind, kind
    assert "javascript" in fetched(re.search(r'from "\./(.+?)"', script)[1])[0]
    assert "css" in fetched(shown.css_source_path)[0]
    app = AppTest.from_file("app.py", default_timeout=120).run()
    assert not app.exception, app.exception
    assert app.session_state["lab"].lab.points
finally:
    server.kill()
    server.wait()
PY
echo "The wheel works, with the app and without."
