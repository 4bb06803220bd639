#!/usr/bin/env bash
# The tests in which linear algebra decides most, with other kernels of OpenBLAS than the one that this processor loads
# by itself, with which all tests have run before: a verdict must not depend on the kernel. `.ci/blas.sh --all` runs all
# tests of the mathematics, with one kernel more, in some four minutes for each.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
which="blas and not sweep"
kernels=(Prescott Sandybridge Haswell SkylakeX)  # SSE, AVX, FMA and AVX-512
own=$("$python" -m tests.blas)
rooms=(core jit kernels data solvers binary regression multiclass pegasos firstorder losses generalisation plane plot statements lab)
if [ "${1:-}" = --all ]; then
  which="not sweep"
  kernels=(Prescott Nehalem Sandybridge Haswell SkylakeX)
fi

declare -A needs=(  # flags of the processor: OpenBLAS itself does not look for them where a kernel is asked for
  [Prescott]="pni" [Nehalem]="sse4_2" [Sandybridge]="avx" [Haswell]="avx2 fma"
  [SkylakeX]="avx512f avx512cd avx512bw avx512dq avx512vl"
)
flags=" $(sed -n 's/^flags[^:]*: //p;T;q' /proc/cpuinfo) "
TIMEFORMAT="%U s of the processor"
ran=1 failed=""
for kernel in "${kernels[@]}"; do
  [ "$kernel" != "$own" ] || continue
  missing=""
  for flag in ${needs[$kernel]}; do [[ $flags == *" $flag "* ]] || missing+=" $flag"; done
  if [ -n "$missing" ]; then
    echo "$kernel is not available: the processor lacks$missing."
    continue
  fi
  export OPENBLAS_CORETYPE=$kernel SVMLAB_BLAS=$kernel
  if ! loaded=$("$python" -m tests.blas "$kernel"); then
    echo "$kernel is not available: ${loaded:-the libraries could not be loaded with it}."
    continue
  fi
  echo "$kernel: $loaded"
  ran=$((ran + 1))
  time "$python" -m pytest -n auto --maxprocesses 4 --dist loadfile "${rooms[@]/#/tests/}" tests/test_moved.py tests/test_sklearn.py -m "$which" || failed+=" $kernel"
done
[ "$ran" -ge 2 ] || { echo "Only $ran kernels could run: nothing was compared."; exit 1; }
[ -z "$failed" ] || { echo "Tests failed with$failed."; exit 1; }
echo "$ran kernels, one verdict."
