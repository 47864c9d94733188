#!/usr/bin/env python3
"""What is found of the loops that others marked for OpenMP, or that a repetition surrounds (TSVC).

usage: suites.py BIN FOLDER [COMPILER FLAG ...]
  Of every C file below FOLDER a copy is analyzed in which each `#pragma omp ... for` is
  `#pragma orrery parallel`, other directives of OpenMP are left out, and the first loop inside of
  `for (int nl = ...` is marked. Prints per file: loops, parallel ones, the codes of the others.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def marked(text):
    lines, repeated = [], False
    for line in text.replace("\\\n", " ").split("\n"):
        directive = re.match(r"\s*#\s*pragma\s+omp\s+(.*)", line)
        if directive:
            ours = re.search(r"\bfor\b", directive.group(1).split("(")[0])
            lines.append("#pragma orrery parallel" if ours else "")
            continue
        if repeated and re.match(r"\s*for\s*\(", line):
            lines.append("#pragma orrery parallel")
            repeated = False
        repeated = repeated or bool(re.match(r"\s*for \(int nl\b", line))
        lines.append(line)
    return "\n".join(lines)


def analyzed(tool, file, text, flags):
    with tempfile.TemporaryDirectory() as work:
        copy = Path(work) / file.name
        copy.write_text(text)
        done = subprocess.run([tool, "analyze", "--format=json", str(copy), "--", f"-I{file.parent}", *flags],
                              capture_output=True, text=True, check=False)
    return json.loads(done.stdout) if done.stdout.startswith("{") else {"loops": [], "errors": [done.stderr]}


def main():
    tool, folder, flags = sys.argv[1] + "/orrery", Path(sys.argv[2]), sys.argv[3:]
    total = found = 0
    for file in sorted(folder.rglob("*.c")):
        text = marked(file.read_text(errors="replace"))
        if "#pragma orrery parallel" not in text:
            continue
        report = analyzed(tool, file, text, flags)
        loops = report["loops"]
        parallel = [loop for loop in loops if loop["verdict"] == "parallel"]
        codes = sorted(reason["code"] for loop in loops if loop["verdict"] != "parallel" for reason in loop["reasons"][:1])
        total, found = total + len(loops), found + len(parallel)
        print(f"{file.relative_to(folder)}: {len(parallel)} of {len(loops)}", *codes, "(errors)" if report["errors"] else "")
    print(f"suites found={found} of={total}")


if __name__ == "__main__":
    main()
