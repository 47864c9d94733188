"""
What pip calls to make a wheel of this folder (PEP 517, PEP 660): the package as it is, which is Python alone.
As a program it makes the wheel: python3 wheel_backend.py [FOLDER]
"""
import base64
import hashlib
import os
import sys
import tomllib
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))


def project():
    with open(os.path.join(HERE, "pyproject.toml"), "rb") as file:
        return tomllib.load(file)["project"]


def metadata(of):
    lines = ["Metadata-Version: 2.1", f"Name: {of['name']}", f"Version: {of['version']}",
             f"Summary: {of['description']}", f"Requires-Python: {of['requires-python']}"]
    return "\n".join(lines + [f"Requires-Dist: {name}" for name in of["dependencies"]]) + "\n"


def package_files():
    """(name in the wheel, bytes) of the package."""
    folder = os.path.join(HERE, "orrery")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".py"):
            with open(os.path.join(folder, name), "rb") as file:
                yield f"orrery/{name}", file.read()


def write_wheel(folder, files):
    """The files with their RECORD. The same bytes each time."""
    of = project()
    info = f"{of['name']}-{of['version']}.dist-info"
    files = [*files, (f"{info}/METADATA", metadata(of).encode()),
             (f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: orrery\nRoot-Is-Purelib: true\nTag: py3-none-any\n")]
    record = []
    for name, data in files:
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record.append(f"{name},sha256={digest},{len(data)}")
    record = "\n".join(record + [f"{info}/RECORD,,"]) + "\n"
    wheel = f"{of['name']}-{of['version']}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in [*files, (f"{info}/RECORD", record.encode())]:
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return wheel


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, package_files())


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return write_wheel(wheel_directory, [("orrery.pth", HERE.encode() + b"\n")])


if __name__ == "__main__":
    target = sys.argv[1] if len(sys.argv) > 1 else "."
    os.makedirs(target, exist_ok=True)
    print(os.path.join(target, write_wheel(target, package_files())))
