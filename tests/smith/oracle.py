#!/usr/bin/env python3
"""The recorder itself: told that every loop is independent, it objects to each in which two
iterations met, and to no other; and what it says could have been done is right where it is known.

usage: oracle.py BIN
"""

import sys
import tempfile

from smith import program
from smith.tools import Tools, run

KNOWN = {
    "independent": "uA[i] = uB[i];",
    "private": "uA[0] = uB[i]; uC[i] = uA[0];",
    "reduction": "\n@smith_fold('+', &uA[0]);\nuA[0] += uB[i];\n@smith_plain();",
    "private, by a fold of what was set": "uA[0] = uB[i];\n@smith_fold('^', &uA[0]);\nuA[0] ^= uC[i];\n@smith_plain();",
    "serial, by a fold before it is set": "\n@smith_fold('^', &uA[0]);\nuA[0] ^= uC[i];\n@smith_plain();\nuA[0] = uB[i];",
    "one-key": "uA[k0[i]] = uA[k0[i]] * 3u + 1u;",
    "two-keys": "uA[k0[i]] += uB[k1[i]]; uB[k1[i]] += uA[k0[i]];",
    "serial": "uA[i + 1] = uA[i];",
    "private, in a local array": "scratch[0] = v[i]; uA[i] = scratch[0];",
    "serial, by a local array": "if (i % 2) scratch[0] = v[i]; uA[i] = scratch[0];",
    "serial, by a local variable": "if (i % 2) local = v[i]; uA[i] = local;",
    "reduction, of neighbours": "\n@smith_fold('+', &local);\nlocal += v[i];\n@smith_plain();\n"
                                "@smith_fold('m', &next_to);\nif (next_to > v[i]) next_to = v[i];\n@smith_plain();",
    "left, by a signal": "uA[i] = *(volatile unsigned *)(unsigned long)(uB[0] & 0);",
    "independent, behind a signal": "uA[i] = uB[i];",
}


def known_text():
    lines, calls = [], {}
    for number, (way, body) in enumerate(KNOWN.items()):
        name = f"known_{number}"
        lines += [f"static unsigned {name}(int n, int m, int K) {{", f"@static const struct smith_claim claim_ = CLAIM_{name};",
                  "@static unsigned scratch[16]; smith_name(\"scratch\", scratch, sizeof scratch);",
                  "@unsigned local = 0, next_to = 0; smith_name(\"local\", &local, 4); smith_name(\"next_to\", &next_to, 4);",
                  f"@NAMES_{name}", "@smith_begin(&claim_);", "for (int i = 0; i < n; ++i) {", "@smith_next(1, 0);",
                  "@smith_key(0, k0[i]);", "@smith_key(1, k1[i]);", *body.split("\n"), "}", "@smith_end();",
                  "return (unsigned)(m + K);", "}"]
        calls[name] = [f"{name}(24, 10, 4)", f"{name}(17, 7, 3)"]
    return lines, calls


def build(tools, lines, names):
    """What the recording program prints when every loop is claimed to be independent."""
    claims = [f'#define CLAIM_{name} {{"{name}", "independent", 1, 0, 0, 0, 1, ",", ","}}\n'
              f"#define NAMES_{name}\n#define DIMS_{name}\n#define GUARD_{name} 1\n" for name in names]
    (tools.work / "claims.h").write_text("".join(claims))
    (tools.work / "recorded.c").write_text(program.recorded(lines))
    errors = tools.compile_recorded(tools.work / "recorded.c", tools.work / "recorded")
    if errors:
        sys.exit(errors)
    return run([tools.work / "recorded"], check=False).stdout.split("\n")


def objections(output):
    """Checks that objections and meetings agree; how many of each there were."""
    objected, total, broken = False, 0, 0
    for line in output:
        if line.startswith("UNSOUND"):
            objected = True
        if line.startswith("LOOP") and line.split()[2] == "left":
            total += 1
        elif line.startswith("LOOP"):
            if objected != (line.split()[2] != "independent"):
                sys.exit(f"the recorder contradicts itself: {line}")
            total, broken, objected = total + 1, broken + objected, False
    return total, broken


def main():
    with tempfile.TemporaryDirectory() as work:
        tools = Tools(sys.argv[1], work)
        made = program.program(1, 100)
        total, broken = objections(build(tools, made.lines(), made.names))
        if total != 100 * len(program.SIZES + program.MORE_SIZES) or broken < 300:
            sys.exit(f"{broken} of {total} runs objected to")
        nests, calls = known_text()
        head = program.head()
        output = build(tools, head + nests + program.main_text(calls, {name: [] for name in calls}), list(calls))
        ways = {line.split()[1]: line.split()[2] for line in output if line.startswith("LOOP")}
        expected = {f"known_{number}": way.split(",")[0] for number, way in enumerate(KNOWN)}
        if ways != expected:
            sys.exit(f"{ways} instead of {expected}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
