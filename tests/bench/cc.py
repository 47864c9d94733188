"""What `orrery-cc -auto -O3` takes beside the compiler behind it: see cc.sh."""
import os
import re
import statistics
import subprocess
import sys
from pathlib import Path

TREE, BUILD, WORK = (Path(p) for p in sys.argv[1:4])
QUICK = bool(os.environ.get("CC_QUICK"))
FLAGS = "-O3 -march=native -w -c".split()
COMPILERS = {"gcc": ["gcc"], "ours": [str(BUILD / "bin/orrery-cc"), "-auto"]}


def used(command):
    """(processor seconds, megabytes) of a command with all that it starts; None: it failed."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return None if status else (usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def flags(path):
    """What the file needs to be compiled."""
    found = [f"-I{path.parent}", f"-I{TREE / 'include'}", f"-I{TREE / 'samples/common'}"]
    polybench = os.environ.get("PEER_POLYBENCH")
    if polybench:
        found += [f"-I{polybench}/utilities", "-DLARGE_DATASET"]
    return found + (["-std=gnu99"] if "TSVC" in str(path) else [])


def sources():
    folders = [TREE / "samples", *(os.environ.get(f"PEER_{suite}") for suite in ("POLYBENCH", "TSVC")), *sys.argv[4:]]
    for folder in filter(None, folders):
        path = Path(folder)
        yield from sorted(path.rglob("*.c")) if path.is_dir() else [path]


def main():
    ratios, most = [], 0.0
    files = list(sources())
    for path in files[:3] if QUICK else files:
        has_loops = re.search(r"\b(for|while)\b", path.read_text(errors="replace"))
        one = {kind: used([*command, *FLAGS, *flags(path), str(path), "-o", str(WORK / f"{kind}.o")])
               for kind, command in COMPILERS.items()}
        if not one["gcc"]:
            continue
        if not one["ours"]:
            sys.exit(f"cc: {path}: orrery-cc -auto refuses what gcc takes")
        ratio = one["ours"][0] / max(one["gcc"][0], 1e-3)
        most = max(most, one["ours"][1])
        if has_loops:
            ratios.append(ratio)
        print(f"cc {path.parent.name}/{path.name} gcc_s={one['gcc'][0]:.3f} ours_s={one['ours'][0]:.3f} "
              f"ratio={ratio:.2f} memory_mb={one['ours'][1]:.0f}{'' if has_loops else ' no_loops'}", flush=True)
    print(f"cc files={len(ratios)} median={statistics.median(ratios):.2f} worst={max(ratios):.2f} memory_mb={most:.0f}")


main()
