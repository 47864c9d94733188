#!/usr/bin/env python3
"""A client of `orrery lsp`: what an editor would see.

usage: lsp.py ORRERY FOLDER
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ORRERY, FOLDER = sys.argv[1], Path(sys.argv[2])


class Client:
    """Speaks to one server; checks what every message must have."""

    def __init__(self, *options, encodings=None):
        self.process = subprocess.Popen([ORRERY, "lsp", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.ids = 0
        self.told = []
        general = {"general": {"positionEncodings": encodings}} if encodings else {}
        self.capabilities = self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": general})
        self.tell("initialized", {})

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def receive(self):
        length = None
        while line := self.process.stdout.readline().strip():
            name, value = line.split(b":")
            length = int(value) if name == b"Content-Length" else length
        message = json.loads(self.process.stdout.read(length))
        assert message["jsonrpc"] == "2.0", message
        return message

    def answer(self, number):
        while True:
            message = self.receive()
            if message.get("id", 0) == number and "method" not in message:
                return message
            self.told.append(message)

    def ask(self, method, params):
        self.ids += 1
        self.send({"id": self.ids, "method": method, "params": params})
        return self.answer(self.ids)["result"]

    def fail(self, method, params=None):
        self.ids += 1
        self.send({"id": self.ids, "method": method, "params": params or {}})
        return self.answer(self.ids)["error"]["code"]

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def diagnostics(self, uri, version=None):
        """The next ones of a file, of that version of its text."""
        while True:
            message = self.told.pop(0) if self.told else self.receive()
            params = message["params"]
            assert message["method"] == "textDocument/publishDiagnostics", message
            if params["uri"] == uri and version in (None, params["version"]):
                return params["diagnostics"]

    def open(self, path, text=None, language="c"):
        uri = path.as_uri()
        text = path.read_text() if text is None else text
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": language, "version": 1,
                                                            "text": text}})
        return uri

    def change(self, uri, version, *texts):
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                             "contentChanges": [{"text": text} for text in texts]})

    def close(self, uri):
        self.tell("textDocument/didClose", {"textDocument": {"uri": uri}})

    def hover(self, uri, line, character=0):
        found = self.ask("textDocument/hover", {"textDocument": {"uri": uri},
                                                "position": {"line": line, "character": character}})
        return found and found["contents"]["value"]

    def actions(self, uri, line, last=None):
        """Those of a line, or of a selection that ends in line `last`."""
        start, end = ({"line": at, "character": 0} for at in (line, last or line))
        return self.ask("textDocument/codeAction", {"textDocument": {"uri": uri}, "context": {"diagnostics": []},
                                                    "range": {"start": start, "end": end}})

    def end(self):
        self.ask("shutdown", None)
        assert self.fail("textDocument/hover") == -32600
        self.tell("exit", None)
        assert self.process.wait(20) == 0


def spelled(text, place, encoding="utf-16"):
    """What stands at a range of one line."""
    start, end = place["start"], place["end"]
    assert start["line"] == end["line"], place
    size = 1 if encoding == "utf-8" else 2
    line = text.split("\n")[start["line"]].encode(encoding if size == 1 else "utf-16-le")
    return line[start["character"] * size:end["character"] * size].decode("utf-8" if size == 1 else "utf-16-le")


def apply(text, edits):
    lines = text.split("\n")

    def offset(place):
        return sum(len(line) + 1 for line in lines[:place["line"]]) + place["character"]

    for edit in sorted(edits, key=lambda e: -offset(e["range"]["start"])):
        text = text[:offset(edit["range"]["start"])] + edit["newText"] + text[offset(edit["range"]["end"]):]
    return text


SERIAL = """void f(double *a, long n) {
#pragma orrery parallel
    for (long i = 1; i < n; ++i)
        /* é𝄞 */ a[i] = a[i - 1] * a[i - 1];
}
"""
PARALLEL = SERIAL.replace("a[i - 1] * a[i - 1]", "a[i] * 2")


def long_text(count):
    return "".join(f"void f{k}(int *restrict a, long n) {{\n#pragma orrery parallel\n    for (long i = 0; i < n; ++i)\n"
                   f"        a[i] += {k};\n}}\n" for k in range(count))


def analysis_of(client):
    """Its process, which has begun."""
    children = Path(f"/proc/{client.process.pid}/task/{client.process.pid}/children")
    while not (child := children.read_text().split()):
        time.sleep(.001)
    return int(child[0])


def places():
    """Diagnostics stand where the message's words stand, in either encoding, behind characters of four bytes."""
    path = FOLDER / "of é" / "a b.c"
    path.parent.mkdir(exist_ok=True)
    path.write_text(SERIAL)
    for encodings, said in ((None, "utf-16"), (["utf-32", "utf-8", "utf-16"], "utf-8"), (["utf-16"], "utf-16")):
        client = Client(encodings=encodings)
        assert client.capabilities["capabilities"]["positionEncoding"] == said
        uri = client.open(path)
        (one,) = client.diagnostics(uri)
        assert (one["severity"], one["code"], one["source"]) == (2, "ORR2104", "orrery"), one
        assert spelled(SERIAL, one["range"], said) == "a[i - 1]", one
        assert one["codeDescription"]["href"].endswith("messages/ORR2104.md")
        words = [spelled(SERIAL, note["location"]["range"], said) for note in one["relatedInformation"]]
        assert "a[i]" in words and "a[i - 1]" in words, words
        assert all(note["location"]["uri"] == uri for note in one["relatedInformation"])
        client.end()


def changes():
    """Unsaved text decides; the last version's answer comes; a closed file has none."""
    path = FOLDER / "changes.c"
    path.write_text(SERIAL)
    client = Client()
    uri = client.open(path)
    assert client.diagnostics(uri, 1)[0]["code"] == "ORR2104"
    for version in range(2, 7):
        client.change(uri, version, SERIAL if version % 2 else PARALLEL)
    (one,) = client.diagnostics(uri, 6)
    assert one["severity"] == 3 and one["code"].startswith("ORR10"), one
    client.change(uri, 7, SERIAL)
    assert client.hover(uri, 2) is None, "a hover over text that was not analyzed"
    assert client.diagnostics(uri, 7)[0]["severity"] == 2
    client.tell("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert client.diagnostics(uri)[0]["severity"] == 2
    client.change(uri, 8, SERIAL, PARALLEL)
    assert client.diagnostics(uri, 8)[0]["severity"] == 3, "of several changes the last one's text counts"
    client.close(uri)
    assert client.diagnostics(uri) == []
    # Changed while it is analyzed; opened once more, and closed.
    client.open(path, long_text(300))
    analysis_of(client)
    client.change(uri, 2, SERIAL)
    assert client.diagnostics(uri, 2)[0]["severity"] == 2, "the answer of an older text"
    client.open(path)
    assert client.diagnostics(uri, 1)[0]["severity"] == 2
    client.close(uri)
    assert client.diagnostics(uri) == [] and client.hover(uri, 2) is None
    client.end()


def saves():
    """A file is looked at again when another one is saved: it may include that."""
    header, one, two = (FOLDER / name for name in ("by.h", "one.c", "two.c"))
    header.write_text("enum { BY = 0 };\n")
    text = '#include "by.h"\n' + PARALLEL.replace("= a[i] * 2", "+= a[i - BY]")
    for path in one, two:
        path.write_text(text)
    client = Client()
    uris = [client.open(path) for path in (one, two)]

    def severities():
        """Of the next verdicts of both, in whatever order they come."""
        found = {}
        while len(found) < 2:
            params = client.receive()["params"]
            found[params["uri"]] = params["diagnostics"][0]["severity"]
        return [found[uri] for uri in uris]

    assert severities() == [3, 3]
    header.write_text("enum { BY = 1 };\n")
    client.tell("textDocument/didSave", {"textDocument": {"uri": uris[0]}})
    assert severities() == [2, 2]
    client.end()


def hovers():
    path = FOLDER / "hovers.c"
    text = "\n" + SERIAL + PARALLEL.replace("f(", "g(") + PARALLEL.replace("f(", "h(").replace("#pragma", "// ")
    path.write_text(text)
    client = Client("--all")
    uri = client.open(path)
    assert len(client.diagnostics(uri)) == 3
    for line in 2, 3:
        serial = client.hover(uri, line, 9)
        assert serial.startswith("**serial** ORR2104: ") and "vector (1)" in serial and "\nfix: " in serial, serial
    parallel = client.hover(uri, 8)
    assert parallel.startswith("**parallel: independent** ORR1001: ") and "\narray: a resident by i\n" in parallel
    assert "orrery-cc -auto" in client.hover(uri, 13)
    assert client.hover(uri, 0) is None and client.hover(uri, 5) is None
    client.end()


def edits():
    """A code action's edit, made by the client, leaves a text that is better off."""
    path = FOLDER / "edits.c"
    text = ("static double total;\ndouble f(const double *restrict a, long n) {\n    double s = 0;\n"
            "#pragma orrery parallell\n    for (long i = 0; i < n; ++i)\n        s += a[i];\n    return s + total;\n}\n")
    path.write_text(text)
    client = Client()
    uri = client.open(path)
    (one,) = client.diagnostics(uri)
    assert one["severity"] == 1, one
    line = one["range"]["start"]["line"]
    assert client.actions(uri, 0) == []
    (action,) = client.actions(uri, line)
    assert client.actions(uri, 0, 7) == [action], "a selection around the line has its edits"
    assert action["kind"] == "quickfix" and action["isPreferred"] and action["diagnostics"] == [one], action
    mended = apply(text, action["edit"]["changes"][uri])
    client.change(uri, 2, mended)
    (one,) = client.diagnostics(uri, 2)
    assert one["severity"] == 3 and "#pragma orrery parallel\n" in mended, (one, mended)
    client.end()


def promises():
    """What gives something up says so and is not preferred; edits of further reasons are there, too."""
    path = FOLDER / "promises.c"
    text = ("void pass(const int *restrict f, const long *restrict begin, float *restrict w, const float *restrict y, long n) {\n"
            "#pragma orrery parallel unordered\n    for (long i = 0; i < n; ++i)\n"
            "        for (long p = begin[i]; p < begin[i + 1]; ++p)\n            w[f[p]] += .1f * (y[i] - w[f[p]]);\n}\n")
    path.write_text(text)
    client = Client()
    uri = client.open(path)
    (one,) = client.diagnostics(uri)
    assert one["severity"] == 2, one
    actions = client.actions(uri, one["range"]["start"]["line"])
    relax = [a for a in actions if "relax(w)" in a["title"]]
    assert relax and "gives up" in relax[0]["title"] and not relax[0]["isPreferred"], actions
    client.change(uri, 2, apply(text, relax[0]["edit"]["changes"][uri]))
    (one,) = client.diagnostics(uri, 2)
    assert (one["severity"], one["code"]) == (3, "ORR1501"), one
    client.end()


def killed():
    """An analysis that dies is said, and the next one is made."""
    path = FOLDER / "long.c"
    path.write_text(long_text(3000))
    client = Client()
    uri = client.open(path)
    os.kill(analysis_of(client), signal.SIGKILL)
    (one,) = client.diagnostics(uri, 1)
    assert one["severity"] == 1 and "orrery analyze" in one["message"], one
    client.change(uri, 2, SERIAL)
    assert client.diagnostics(uri, 2)[0]["code"] == "ORR2104"
    client.end()


def flags():
    """The nearest database's flags, those of -p and those of the command line; headers are no units."""
    folder = FOLDER / "project"
    (folder / "build").mkdir(parents=True, exist_ok=True)
    (folder / "src").mkdir(exist_ok=True)
    path = folder / "src" / "sized.c"
    path.write_text(PARALLEL.replace("n;", "N;"))
    client = Client()
    assert client.diagnostics(client.open(path))[0]["severity"] == 1, "N is not known"
    client.end()
    client = Client("-DN=8")
    assert client.diagnostics(client.open(path))[0]["severity"] == 3
    client.end()
    database = json.dumps([{"directory": str(folder), "file": "src/sized.c", "command": "cc -DN=n -c src/sized.c"}])
    for place, options in ((folder / "build", []), (FOLDER, ["-p", str(FOLDER)])):
        (place / "compile_commands.json").write_text(database)
        client = Client(*options)
        assert client.diagnostics(client.open(path))[0]["severity"] == 3
        client.open(folder / "src" / "sized.h", "void f(void);\n")
        client.open(folder / "src" / "sized.cc", "void f();\n", "cpp")
        last = client.open(folder / "last.c", PARALLEL)
        message = client.receive()
        assert message["params"]["uri"] == last, message
        client.end()
        (place / "compile_commands.json").unlink()


def wrong():
    """What is no request, or of no client, is answered or ends the server; it never crashes."""
    client = Client()
    assert client.fail("textDocument/rename") == -32601
    client.tell("$/cancelRequest", {"id": 1})
    client.raw(b"Content-Length: 5\r\n\r\n{oops")
    assert client.receive()["error"]["code"] == -32700
    for message in ({"id": 7}, [], {"method": 3}):
        body = json.dumps(message).encode()
        client.raw(b"Content-Type: x\r\ncontent-length: %d\r\n\r\n" % len(body) + body)
        assert client.receive()["error"]["code"] == -32600, message
    for method in ("didOpen", "didChange", "didSave", "didClose"):
        for params in (None, {}, {"textDocument": 1}, {"textDocument": {"uri": "file://"}, "contentChanges": [1]}):
            client.tell("textDocument/" + method, params)
    for uri in ("file:///none/such.c", "untitled:1", "file://host", "file:///%zz%"):
        client.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "c", "version": 1,
                                                              "text": "int x\xff;\n"}})
    assert client.ask("textDocument/hover", None) is None
    assert client.ask("textDocument/codeAction", {"range": 3}) == []
    client.end()
    for data, status in ((b"GET / HTTP/1.1\r\n\r\n", 1), (b"Content-Length: -1\r\n\r\n", 1), (b"x" * 9000, 1), (b"", 0),
                         (b"Content-Length: 33\r\n\r\n" + b'{"jsonrpc":"2.0","method":"exit"}', 1)):
        client = Client()
        _, errors = client.process.communicate(data, timeout=20)
        assert client.process.returncode == status, data
        assert (b"Content-Length" in errors) == (status == 1 and b"exit" not in data), errors


for test in (places, changes, saves, hovers, edits, promises, killed, flags, wrong):
    test()
    print(test.__name__, "passed")
