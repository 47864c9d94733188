# Sourced by run: `auto [SUITE [PROGRAM ...]]`: programs of others, serial by gcc, by `orrery-cc -auto` with two threads
# and by clang's Polly, in turn. The sources are not in this tree:
#   tsvc        $PEER_TSVC, a clone of github.com/UoB-HPC/TSVC_2: every kernel in a process of its own
#   polybench   $PEER_POLYBENCH, PolyBench/C 4.2.1 (github.com/MatthiasJReisinger/PolyBenchC-4.2.1)
#   slow        $PEER_SLOW, a folder of programs of one file; those that have no main are called by tests/bench/slow/
# Without a SUITE: all whose folder is set. Polly: clang-19 and libomp-19-dev; over_polly=na where they are not there.
# All are built file by file with $AUTO_FLAGS (default -O3 -march=native -ffp-contract=off).
#   AUTO_ROUNDS      runs of each (default 3). A program past its suite's limit is run as often again before that counts.
#   AUTO_ITERATIONS  of TSVC (default: as its common.h says); AUTO_SIZE of PolyBench (default LARGE)
#   AUTO_KEEP        a folder for the programs that are built, used again while sources and orrery-cc stay
#   AUTO_PEERS=no    without Polly
# A line per program: seconds, `ratio` of serial over ours, `over_polly` of Polly's over ours, `same` or `DIFFERENT`
# (all bits of the results), what the run chose (`parallel`, `serial`, `both`, `none`: no loop to choose for), and in how
# many loops. `slower`: programs that take more than 1.1 (TSVC) or 1.03 times their serial time. Status 1: results differ.
AUTO_QUICK=$quick "${PEER_PYTHON:-python3}" "$tree/tests/bench/auto.py" "$tree/tests/bench" "$build" "$work" "$@"
