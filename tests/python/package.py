"""pip installs the package without a network, and the wheel is the same each time."""
import hashlib
import os
import subprocess
import sys

folder = os.path.join(os.environ["BUILD"], "python")


def wheel(target):
    done = subprocess.run([sys.executable, os.path.join(folder, "wheel_backend.py"), target], check=True,
                          capture_output=True, text=True)
    with open(done.stdout.strip(), "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


assert wheel("one") == wheel("two")
if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True).returncode != 0:
    print("skipped: pip is not installed")
    sys.exit(77)
subprocess.run([sys.executable, "-W", "ignore", "-m", "pip", "install", "-q", "--no-index", "--no-deps", "--target", "installed",
                folder], check=True)
bin = os.path.join(os.environ["BUILD"], "bin")
code = "import arrays, numpy, orrery; x = numpy.ones(4); arrays.scale().scale(x, 4, 3.0); print(orrery.__file__, x[3])"
tests = os.path.dirname(os.path.abspath(__file__))
done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env={
    **os.environ, "PYTHONPATH": f"{os.getcwd()}/installed:{tests}", "PATH": f"{bin}:{os.environ['PATH']}"})
assert done.stdout.startswith(os.path.join(os.getcwd(), "installed")) and done.stdout.endswith(" 6.0\n"), done.stdout
