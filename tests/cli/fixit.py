#!/usr/bin/env python3
"""Makes the edits of `orrery analyze --format=json`: fixit.py FILE.c ANALYSIS.json TEXT CODE > NEW.c

The edits have to be those of the text report (TEXT), must not overlap, and belong to CODE.
"""
import json
import re
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    lines = file.read().split("\n")
with open(sys.argv[2], encoding="utf-8") as file:
    analysis = json.load(file)
with open(sys.argv[3], encoding="utf-8") as file:
    report = file.read()
reasons = [reason for loop in analysis["loops"] for reason in loop["reasons"]] + analysis["errors"]
edits = [edit for reason in reasons if reason["code"] == sys.argv[4]
         for edit in reason.get("edits", [])]
if not edits:
    sys.exit(f"no edit for {sys.argv[4]}")
printed = re.findall(r'^fix-it:"(.*?)":\{(\d+):(\d+)-(\d+):(\d+)\}:"(.*)"$', report, re.M)
if len(printed) != sum(len(reason.get("edits", [])) for reason in reasons):
    sys.exit("the text report has other edits")
for name, line, column, end_line, end_column, text in printed:
    text = re.sub(r"\\(.)", lambda found: "\n" if found[1] == "n" else found[1], text)
    same = {"file": name, "line": int(line), "column": int(column), "end_line": int(end_line),
            "end_column": int(end_column), "text": text}
    if not any(same in reason.get("edits", []) for reason in reasons):
        sys.exit(f"the text report alone has {same}")


def offset(line, column):
    return sum(len(text.encode()) + 1 for text in lines[:line - 1]) + column - 1


data = "\n".join(lines).encode()
at = len(data) + 1
for edit in sorted(edits, key=lambda e: (e["line"], e["column"]), reverse=True):
    begin, end = offset(edit["line"], edit["column"]), offset(edit["end_line"], edit["end_column"])
    if not begin <= end <= at:
        sys.exit("edits overlap")
    data, at = data[:begin] + edit["text"].encode() + data[end:], begin
sys.stdout.write(data.decode())
