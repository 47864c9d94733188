# Sourced by run: `quality [NAME ...]`: what samples reach on the same data and settings as libraries of PyPI and others'
# programs (quality.py has a function per sample), where `peers` compares no times. A python3 in $PEER_PYTHON that has
#   numpy, scipy   sptrsv, gauss_seidel        rapidfuzz, parasail    lcs
#   scikit-learn   groups, stream, embed       pecanpy, gensim        embed
#   pandas, scikit-surprise                    mf_adarev
# and the built sources of LIBMF and GloVe, $PEER_LIBMF (mf_adarev) and $PEER_GLOVE (glove). Peers that are not there end
# the run. Programs whose answers are compared number by number are built without -ffast-math.
names=("$@")
[ $# -gt 0 ] || names=(sptrsv gauss_seidel lcs stream groups glove embed mf_adarev)
mkdir "$work/programs" "$work/files"
for sample in "${names[@]}"; do
    flags=(-O3 -I"$tree/include")
    case $sample in groups | glove | embed | mf_adarev) flags+=(-march=native -ffast-math) ;; esac
    orrery-cc "${flags[@]}" "$tree/samples/$sample/$sample.c" -o "$work/programs/$sample" -L"$build/lib" -lorrery-load -lm
done
"${PEER_PYTHON:-python3}" "$tree/tests/bench/quality.py" "$work/programs" "$build/samples/data" "$work/files" "${names[@]}"
