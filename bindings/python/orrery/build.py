"""From C text to a shared library: orrery-cc, behind a cache by content."""
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import warnings


class Error(RuntimeError):
    """Whatever Orrery refuses. The text has the place and a way out."""


class NotFound(Error):
    """There is no orrery-cc."""


class CompileError(Error):
    """The text is wrong, or a marked loop stays serial; what orrery-cc says of it."""


class Tools:
    """The commands, and where their parts are: PREFIX/bin, PREFIX/lib/orrery."""

    def __init__(self):
        here = os.path.dirname(os.path.abspath(__file__))
        beside = [os.path.join(here, up, "bin", "orrery-cc") for up in ("../..", "../../../..")]
        found = [path for path in beside if os.access(path, os.X_OK)] or [shutil.which("orrery-cc")]
        if not found[0]:
            raise NotFound("orrery-cc is not in PATH: install Orrery (cmake --install build --prefix DIR) and "
                           "put DIR/bin into PATH, or take this package from build/python")
        self.cc = os.path.realpath(found[0])
        self.orrery = os.path.join(os.path.dirname(self.cc), "orrery")
        self.house = os.path.join(os.path.dirname(os.path.dirname(self.cc)), "lib", "orrery")
        self.runtime = os.path.join(self.house, "liborrery.so")

    def version(self, flags):
        """What else decides on the bytes that come out: our commands, the compiler, this machine's CPU."""
        parts = [subprocess.run([self.cc, "--version"], capture_output=True, text=True).stdout]
        for path in (self.cc, self.orrery, os.path.realpath(self.runtime)):
            status = os.stat(path)
            parts.append(f"{path} {status.st_size} {status.st_mtime_ns}")
        if any(flag.endswith("=native") for flag in flags):
            with open("/proc/cpuinfo", encoding="utf-8") as info:
                parts += sorted({line for line in info if line.startswith(("model name", "flags"))})
        return "\n".join(parts)


def cache_folder():
    root = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(root, "orrery", "python")


def digest(*parts):
    total = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        total.update(b"%d:" % len(data))
        total.update(data)
    return total.hexdigest()


def file_digest(path):
    try:
        with open(path, "rb") as file:
            return digest(file.read())
    except OSError:
        return None


def run(command, folder=None):
    """The command's (standard output, standard error); CompileError with what it says."""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", cwd=folder)
    if done.returncode != 0:
        raise CompileError(done.stderr.strip() or f"status {done.returncode}: {' '.join(command)}")
    return done.stdout, done.stderr


def inputs_of(depfile):
    """The files that a depfile names behind its target."""
    with open(depfile, encoding="utf-8", errors="surrogateescape") as file:
        words = file.read().replace("\\\n", " ").replace("\\ ", "\0").split(":", 1)[1].split()
    return [word.replace("\0", " ") for word in words]


def analysis_flags(flags):
    """Of the flags what `orrery analyze` takes: (its options, what changes the meaning of the text)."""
    ours, compilers, words = [], [], iter(flags)
    for word in words:
        if word == "-effects":
            ours += [word, next(words, "")]
        elif word in ("-I", "-D", "-U", "-include", "-isystem"):
            compilers += [word, next(words, "")]
        elif word.startswith(("-I", "-D", "-U", "-std", "-f", "-m", "-O")):
            compilers.append(word)
    return ours, compilers


class Built:
    """A library in the cache: its path, its functions, its loops as `orrery analyze` tells them."""

    def __init__(self, folder):
        self.library = os.path.join(folder, made_of(folder)["library"])
        with open(os.path.join(folder, "functions.json"), encoding="utf-8") as file:
            self.functions = json.load(file)["functions"]
        with open(os.path.join(folder, "loops.json"), encoding="utf-8") as file:
            self.loops = json.load(file)["loops"]


def made_of(folder):
    """{"library": its name, "inputs": {path: digest}}."""
    with open(os.path.join(folder, "made.json"), encoding="utf-8") as file:
        return json.load(file)


def is_current(folder):
    """The folder is whole, and its inputs (headers, files of -with) hold what they held then."""
    try:
        inputs = made_of(folder)["inputs"]
    except (OSError, ValueError):
        return False
    return all(file_digest(path) == known for path, known in inputs.items())


def analyze(tools, source, flags, how):
    ours, compilers = analysis_flags(flags)
    text, _ = run([tools.orrery, "analyze", how, *ours, source, "--", *compilers])
    return text


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def need_parallel(source, loops):
    """Who marks nothing has forgotten it."""
    if not any(loop["marked"] for loop in loops):
        raise CompileError(f"{source}: no loop is marked: put `#pragma orrery parallel` in front of one, or say "
                           f"strict=False to call the functions as they are")


def make(tools, source, flags, strict, folder, shim, ranks):
    """
    Everything of the library into the folder, or of the program that `ranks` run. `shim`: the text of the calls, from
    the functions.
    """
    def place(name):
        return os.path.join(folder, name)

    functions = analyze(tools, source, flags, "--dump=functions")
    loops = analyze(tools, source, flags, "--format=json")
    if strict:
        need_parallel(source, json.loads(loops)["loops"])
    write(place("functions.json"), functions)
    write(place("loops.json"), loops)
    write(place("calls.c"), shim(json.loads(functions)["functions"]))
    compiler = (os.environ.get("ORRERY_CC") or "cc").split()
    shared = [] if ranks else ["-shared", "-fPIC"]
    run([*compiler, "-O2", *shared[1:], "-fno-builtin", "-w", "-I", os.path.join(tools.house, "include"), "-c",
         place("calls.c"), "-o", place("calls.o")])
    strictly = ["-Werror=serial"] if strict else []
    _, warned = run([tools.cc, *flags, *strictly, *shared, "-MMD", "-MF", place("depends"), source,
                     place("calls.o"), "-o", place("library.so"), "-lm"])
    inputs = {os.path.abspath(name): file_digest(name) for name in {source, *inputs_of(place("depends"))}}
    # The dynamic linker takes a name that it has loaded for the same library.
    library = f"{digest(*sorted(inputs.items()))[:16]}.so"
    os.rename(place("library.so"), place(library))
    write(place("made.json"), json.dumps({"library": library, "inputs": inputs}))
    if warned.strip():
        warnings.warn(warned.strip(), stacklevel=5)


def replace(folder, made):
    """`made` becomes `folder`. Who has the old library open keeps it; of two that made it one wins."""
    old = made + "-old"
    try:
        os.rename(folder, old)
    except OSError:
        pass
    try:
        os.rename(made, folder)
    except OSError:
        shutil.rmtree(made, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def build(source, flags, strict, shim, ranks=False):
    """The library of a source, or the program: from the cache, or made now."""
    tools = Tools()
    source = os.path.abspath(source)
    with open(source, "rb") as file:
        content = file.read()
    key = digest(content, source, *flags, "strict" if strict else "", "ranks" if ranks else "", tools.version(flags))
    folder = os.path.join(cache_folder(), key[:32])
    if is_current(folder):
        return Built(folder)
    os.makedirs(cache_folder(), mode=0o700, exist_ok=True)
    making = tempfile.mkdtemp(dir=cache_folder(), prefix="making-")
    try:
        make(tools, source, flags, strict, making, shim, ranks)
    except BaseException:
        shutil.rmtree(making, ignore_errors=True)
        raise
    replace(folder, making)
    return Built(folder)
