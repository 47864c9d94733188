#!/usr/bin/env python3
"""The recipe for efm-langserver in docs/editors.md, spoken to as an editor does: what it publishes of a file.

usage: efm.py BIN TREE      (status 77 where efm-langserver is not installed)
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from editors import block_of

TEXT = "void f(double *a, long n) {\n#pragma orrery parallel\n    for (long i = 1; i < n; ++i)\n        a[i] = a[i - 1] * a[i - 1];\n}\n"


def send(server, method, params, number=None):
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        message["id"] = number
    body = json.dumps(message).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    server.stdin.flush()


def receive(server):
    length = 0
    while (line := server.stdout.readline()) not in (b"\r\n", b""):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return json.loads(server.stdout.read(length)) if length else None


def diagnostics(folder, configuration):
    """What the server publishes of serial.c when it is opened."""
    path = os.path.join(folder, "serial.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(TEXT)
    with subprocess.Popen(["timeout", "60", "efm-langserver", "-c", configuration], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, cwd=folder) as server:
        send(server, "initialize", {"processId": os.getpid(), "rootUri": "file://" + folder, "capabilities": {}}, 1)
        receive(server)
        send(server, "initialized", {})
        document = {"uri": "file://" + path, "languageId": "c", "version": 1, "text": TEXT}
        send(server, "textDocument/didOpen", {"textDocument": document})
        send(server, "textDocument/didSave", {"textDocument": {"uri": document["uri"]}})
        while (message := receive(server)) is not None:
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["diagnostics"]:
                server.terminate()
                return message["params"]["diagnostics"]
    return []


def main():
    if not shutil.which("efm-langserver"):
        print("skipped: efm-langserver is not installed")
        return 77
    bin_folder, tree = os.path.abspath(sys.argv[1]), sys.argv[2]
    os.environ["PATH"] = bin_folder + ":" + os.environ["PATH"]
    with open(os.path.join(tree, "docs", "editors.md"), encoding="utf-8") as file:
        yaml = block_of(file.read().split("\n"), "yaml")
    with tempfile.TemporaryDirectory() as folder:
        configuration = os.path.join(folder, "config.yaml")
        with open(configuration, "w", encoding="utf-8") as file:
            file.write(yaml + "\n")
        found = diagnostics(folder, configuration)
    places = {(d["range"]["start"]["line"], d["range"]["start"]["character"]) for d in found}
    for one in found:
        print(one["range"]["start"], one.get("severity"), one["message"][:90])
    # 4:16, what needs an earlier iteration; counted from 0
    return 0 if (3, 15) in places and any("ORR2104" in d["message"] for d in found) else 1


if __name__ == "__main__":
    sys.exit(main())
