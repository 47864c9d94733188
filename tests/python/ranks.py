"""Loops among the ranks of mpi4py: the bits of one rank, errors on all ranks, what they have to agree on."""
import os
import shutil
import subprocess
import sys

import numpy
import orrery

from arrays import COUNT, ITEMS, K, factors, model, ratings, refuses

MPIRUN = [shutil.which("mpirun.openmpi") or "mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n"]


def learn(comm, out):
    """Ranks other than 0 have other values in their arrays, and get what rank 0 has."""
    lib, r, (W, H) = factors(comm=comm), ratings(), model()
    if comm.rank:
        W[:], r["value"] = 0, 7
    losses = [lib.epoch(r, COUNT, W, H, K, 0.01) for _ in range(3)]
    bits = numpy.array(losses).tobytes() + W.tobytes() + H.tobytes()
    assert all(other == bits for other in comm.allgather(bits))
    if comm.rank == 0:
        with open(out, "wb") as file:
            file.write(bits)


def refused(comm):
    lib, r, (W, H) = factors(comm=comm), ratings(), model()
    before = W.copy()
    mine = comm.rank == 1
    refuses(TypeError if mine else orrery.RunError, ["W is", "float32"] if mine else ["rank 1: TypeError: W is"],
            lib.epoch, r, COUNT, W.astype("f8") if mine else W, H, K, 0.01)
    refuses(orrery.RunError, ["same numbers", "rank 1"], lib.epoch, r, COUNT - mine, W, H, K, 0.01)
    refuses(orrery.RunError, ["same shapes", "rank 1"], lib.epoch, r, COUNT, W, H[:ITEMS - mine], K, 0.01)
    refuses(ValueError, ["W and H share memory"], lib.epoch, r, COUNT, W, W[:ITEMS], K, 0.01)
    refuses(orrery.RunError, ["r[i].item", "out of range"], lib.epoch, r, COUNT, W, H[:100], K, 0.01)
    assert (W == before).all()
    refuses(orrery.CompileError, ["ORR2104"], orrery.compile, "void epoch(double *x) {\n#pragma orrery parallel\n"
            "    for (long i = 1; i < 9; ++i)\n        x[i] = x[i - 1] * x[i] + x[i + 1];\n}\n", comm=comm)
    assert lib.epoch(r, COUNT, W, H, K, 0.01) > 0 and (W != before).any()
    nothing = orrery.compile("void put(float *x, long n, float a) {\n#pragma orrery parallel\n"
                             "    for (long i = 0; i < n; ++i)\n        x[i] = a;\n}\n", comm=comm)
    nothing.put(None, 0, float("nan"))
    nothing.put(W, W.size, 2)
    assert (W == 2).all()


def run(*words):
    done = subprocess.run([*words], capture_output=True, text=True, timeout=300,
                          env={**os.environ, "TMPDIR": os.path.abspath("temporary")})
    assert done.returncode == 0 and not done.stderr, f"{words}: {done.stdout}{done.stderr}"


def main():
    if len(sys.argv) > 1:
        from mpi4py import MPI
        learn(MPI.COMM_WORLD, sys.argv[2]) if sys.argv[1] == "learn" else refused(MPI.COMM_WORLD)
        return
    lib, r, (W, H) = factors(), ratings(), model()
    bits = numpy.array([lib.epoch(r, COUNT, W, H, K, 0.01) for _ in range(3)]).tobytes() + W.tobytes() + H.tobytes()
    os.mkdir("temporary")
    for ranks in (1, 2, 3):
        run(*MPIRUN, str(ranks), sys.executable, __file__, "learn", f"bits.{ranks}")
        with open(f"bits.{ranks}", "rb") as file:
            assert file.read() == bits, f"other bits on {ranks} ranks"
    run(*MPIRUN, "2", sys.executable, __file__, "refused")
    left = [name for name in os.listdir("temporary") if name.startswith("orrery-")]
    assert not left, f"left over: {left}"


main()
