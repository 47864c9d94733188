#!/usr/bin/env python3
"""Lines of tests/real/cc (a folder and a compiler's words, quoted for the shell) as compile_commands.json.

usage: commands.py COMMANDS compile_commands.json
"""
import json
import os
import shlex
import sys


def entries(line):
    folder, *words = shlex.split(line)
    for word in words:
        if word.endswith(".c") and os.path.exists(os.path.join(folder, word)):
            yield {"directory": folder, "file": word, "arguments": ["cc"] + compiling(words, word)}


def compiling(words, file):
    """The words that matter to one file: no other file, no output, nothing for the linker."""
    kept, skip = [], False
    for word in words:
        if skip or word in ("-o", "-MF", "-MT", "-MQ"):
            skip = not skip
        elif word == file or word.startswith("-") and not word.startswith(("-l", "-L", "-Wl,", "-M")):
            kept.append(word)
        elif kept and kept[-1] in ("-I", "-D", "-U", "-include", "-isystem", "-idirafter", "-imacros"):
            kept.append(word)
    return kept


def main():
    with open(sys.argv[1], encoding="utf-8") as lines:
        all_entries = [entry for line in lines for entry in entries(line)]
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        json.dump(all_entries, out, indent=1)


main()
