"""Serial programs against `orrery-cc -auto` and Polly: see auto.sh."""
import hashlib
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE, BUILD, WORK = (Path(p) for p in sys.argv[1:4])
QUICK = bool(os.environ.get("AUTO_QUICK"))
FLAGS = os.environ.get("AUTO_FLAGS", "-O3 -march=native -ffp-contract=off").split()
ROUNDS = 1 if QUICK else int(os.environ.get("AUTO_ROUNDS", "3"))
KEEP = Path(os.environ.get("AUTO_KEEP", WORK / "programs"))
ORRERY_CC = BUILD / "bin/orrery-cc"
COMPILERS = {
    "serial": ["gcc"],
    "auto": [str(ORRERY_CC), "-auto"],
    "polly": "clang-19 -mllvm -polly -mllvm -polly-parallel -fopenmp".split(),
}
RUN = {**os.environ, "ORRERY_THREADS": "2", "OMP_NUM_THREADS": "2"}


def say(text):
    print(text, file=sys.stderr, flush=True)


def has_polly():
    """Whether clang links a loop that Polly runs in parallel."""
    if os.environ.get("AUTO_PEERS") == "no" or not shutil.which("clang-19"):
        return False
    source = WORK / "polly.c"
    source.write_text("int main(void) { return 0; }\n")
    tried = subprocess.run([*COMPILERS["polly"], source, "-o", WORK / "polly"], capture_output=True)
    return tried.returncode == 0


def newest(paths):
    return max(path.stat().st_mtime for path in paths)


def compile_or_end(command):
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        sys.exit(f"auto: {' '.join(command)}\n{built.stderr}")


def build(kind, name, sources, *more):
    """The program of these sources by this compiler, file by file, so that no call sees another file's function.

    One that is newer than all it is made of is kept.
    """
    program = KEEP / f"{name}.{kind}"
    made_of = [p for source in sources for p in source.parent.iterdir() if p.suffix in (".c", ".h")]
    if kind == "auto":
        made_of += [ORRERY_CC, *(BUILD / "lib").glob("*.a")]
    if not program.exists() or program.stat().st_mtime < newest(made_of):
        compiler = [*COMPILERS[kind], *FLAGS, "-w", *more]
        objects = [f"{program}.{number}.o" for number in range(len(sources))]
        for source, made in zip(sources, objects):
            compile_or_end([*compiler, "-c", str(source), "-o", made])
        compile_or_end([*compiler, *objects, "-o", str(program), "-lm"])
    return program


def write(path, text):
    """Writes what is not there yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def replaced(text, what, by):
    new, count = re.subn(what, by, text)
    if not count:
        sys.exit(f"auto: nothing like '{what}' in these sources")
    return new


class Tsvc:
    """Kernels of one program that runs the named one; its text is TSVC's but for main and iterations."""

    limit = 1.1

    MAIN = """
#include <string.h>
static unsigned long hash = 14695981039346656037UL;
static void add(const void *from, unsigned long bytes) {
    for (unsigned long i = 0; i < bytes; ++i)
        hash = (hash ^ ((const unsigned char *)from)[i]) * 1099511628211UL;
}
static void time_one(test_function_t function, void *info) {
    memset(xx, 0, LEN_1D * sizeof *xx); /* which few of them set */
    time_function(function, info);
    add(flat_2d_array, sizeof flat_2d_array), add(x, sizeof x), add(a, sizeof a), add(b, sizeof b);
    add(c, sizeof c), add(d, sizeof d), add(e, sizeof e), add(aa, sizeof aa), add(bb, sizeof bb);
    add(cc, sizeof cc), add(tt, sizeof tt), add(indx, sizeof indx), add(xx, LEN_1D * sizeof *xx);
    printf("%lx\\n", hash);
}
"""

    def __init__(self, folder):
        source, copy = folder / "src", KEEP / "tsvc"
        text = (source / "tsvc.c").read_text()
        self.kernels = re.findall(r"time_function\(&(\w+),", text)
        text = replaced(text, r"time_function\(&(\w+), (.*)\);", r'if (!strcmp(argv[1], "\1")) time_one(&\1, \2);')
        iterations = "1000" if QUICK else os.environ.get("AUTO_ITERATIONS", "100000")
        header = replaced((source / "common.h").read_text(), r"(define iterations) \d+", r"\1 " + iterations)
        write(copy / "common.h", header)
        for name in ("common.c", "dummy.c", "array_defs.h"):
            write(copy / name, (source / name).read_text())
        write(copy / "tsvc.c", text.replace("int main(", self.MAIN + "int main("))
        self.sources = [copy / "tsvc.c", copy / "common.c", copy / "dummy.c"]

    @staticmethod
    def file(_):
        return "tsvc.c"

    def programs(self):
        return self.kernels[:12] if QUICK else self.kernels

    def command(self, kind, name):
        return [build(kind, "tsvc.program", self.sources, "-std=gnu99"), name]

    @staticmethod
    def result(done, _):
        name, seconds, checksum, bits = done.stdout.split()[-4:]
        return float(seconds), (checksum, bits)

    @staticmethod
    def check(command):
        return command


class Polybench:
    """Kernels that print their seconds, and all bits of their results where they have an argument."""

    limit = 1.03

    def __init__(self, folder):
        self.utilities = KEEP / "utilities"
        header = (folder / "utilities/polybench.h").read_text()
        header = replaced(header, r"argc > 42 && ! strcmp\(argv\[0\], \"\"\)", "argc > 1")
        write(self.utilities / "polybench.h", header)
        write(self.utilities / "polybench.c", (folder / "utilities/polybench.c").read_text())
        self.files = {path.stem: path for path in folder.rglob("*.c") if path.with_suffix(".h").exists()}
        self.files.pop("polybench")
        self.size = "MINI" if QUICK else os.environ.get("AUTO_SIZE", "LARGE")

    @staticmethod
    def file(name):
        return f"{name}.c"

    def programs(self):
        return sorted(self.files)[:6] if QUICK else sorted(self.files)

    def command(self, kind, name):
        source, copy = self.files[name], KEEP / name
        write(copy / source.name, source.read_text())
        header = source.with_suffix(".h").read_text()
        write(copy / f"{name}.h", re.sub(r'"%0\.\d+l?f "', '"%a "', header))
        sources = [copy / source.name, self.utilities / "polybench.c"]
        return [build(kind, name, sources, f"-I{self.utilities}", f"-D{self.size}_DATASET", "-DPOLYBENCH_TIME")]

    @staticmethod
    def result(done, _):
        return float(done.stdout), hashlib.md5(done.stderr.encode()).hexdigest()

    @staticmethod
    def check(command):
        return [*command, "dump"]


class Slow:
    """Programs of one file, timed as a whole; what they print is their result."""

    limit = 1.03

    def __init__(self, folder):
        self.files = {path.stem: path for path in folder.glob("*.c")}

    @staticmethod
    def file(name):
        return f"{name}.c"

    def programs(self):
        return sorted(self.files)

    def command(self, kind, name):
        source = self.files[name]
        has_main = re.search(r"\bmain\(", source.read_text())
        return [build(kind, name, [source] if has_main else [source, HERE / "slow" / source.name])]

    @staticmethod
    def result(done, seconds):
        return seconds, done.stdout

    @staticmethod
    def check(command):
        return command


SUITES = {"tsvc": Tsvc, "polybench": Polybench, "slow": Slow}


def run(suite, command, **more):
    begin = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, env={**RUN, **more})
    seconds = time.monotonic() - begin
    if done.returncode:
        sys.exit(f"auto: {command} ends with {done.returncode}\n{done.stderr[-2000:]}")
    return *suite.result(done, seconds), done.stderr


def choice(errors, file):
    """What a run with ORRERY_STATS=1 chose in this file, and for how many loops of one size."""
    ways = re.findall(rf"^orrery: \S*{re.escape(file)}:\d+ automatic (\w+)", errors, re.M)
    kinds = set(ways) - {"undecided"}
    return "both" if len(kinds) > 1 else kinds.pop() if kinds else "none", len(ways)


def measure(suite, commands, times):
    for _ in range(ROUNDS):
        for kind, command in commands.items():
            times[kind].append(run(suite, command)[0])
    return {kind: statistics.median(values) for kind, values in times.items()}


def compare(label, suite, name, kinds):
    """One program: its line, and (ratio, over Polly or None, whether the bits are equal)."""
    commands = {kind: suite.command(kind, name) for kind in kinds}
    results = {kind: run(suite, suite.check(commands[kind])) for kind in ("serial", "auto")}
    same = results["serial"][1] == results["auto"][1]
    way, loops = choice(run(suite, commands["auto"], ORRERY_STATS="1")[-1], suite.file(name))
    times = {kind: [] for kind in kinds}
    seconds = measure(suite, commands, times)
    if seconds["auto"] > suite.limit * seconds["serial"] and not QUICK:
        seconds = measure(suite, commands, times)
    ours = max(seconds["auto"], 1e-6)
    ratio = max(seconds["serial"], 1e-6) / ours
    over = max(seconds["polly"], 1e-6) / ours if "polly" in seconds else None
    figures = " ".join(f"{kind}={value:.4f}" for kind, value in seconds.items())
    more = f" over_polly={over:.2f}" if over else ""
    print(f"{label} {name} {figures} ratio={ratio:.2f}{more} {'same' if same else 'DIFFERENT'} {way} loops={loops}",
          flush=True)
    return ratio, over, same, seconds["auto"] > suite.limit * seconds["serial"]


def geomean(values):
    return f"{math.exp(statistics.fmean(map(math.log, values))):.3f}" if values else "na"


def main():
    names = sys.argv[4:]
    labels = names[:1] or [label for label in SUITES if os.environ.get("PEER_" + label.upper())]
    KEEP.mkdir(parents=True, exist_ok=True)
    kinds = [kind for kind in COMPILERS if kind != "polly" or has_polly()]
    if "polly" not in kinds:
        say("auto: over_polly=na: no clang-19, or none that links with -mllvm -polly -mllvm -polly-parallel -fopenmp")
    lines = []
    for label in labels:
        folder = os.environ.get("PEER_" + label.upper(), "")
        if label not in SUITES or not Path(folder).is_dir() or not folder:
            sys.exit(f"auto: '{label}': no such suite, or PEER_{label.upper()} is no folder (head of tests/bench/auto.sh)")
        suite = SUITES[label](Path(folder))
        for name in names[1:] or suite.programs():
            lines.append(compare(label, suite, name, kinds))
    over = [line[1] for line in lines if line[1]]
    print(f"auto slower={sum(line[3] for line in lines)} geomean={geomean([line[0] for line in lines])} "
          f"over_polly={geomean(over)}")
    sys.exit(any(not line[2] for line in lines))


main()
