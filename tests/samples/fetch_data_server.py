#!/usr/bin/env python3
"""A server of files that breaks off: fetch_data_server.py FOLDER PORT_FILE LOG

Serves FOLDER on a free port of this machine, written to PORT_FILE. Ranges are obeyed (a file `FOLDER/whole` says: they
are not); as many times as the number in `FOLDER/cuts` says an answer ends after 1,000 bytes. LOG gets a line
`PATH RANGE` per request.
"""
import http.server
import os
import re
import sys

folder, port_file, log = sys.argv[1:4]


def cut_now():
    """True while there are cuts left; takes one."""
    name = os.path.join(folder, "cuts")
    left = int(open(name, encoding="ascii").read()) if os.path.exists(name) else 0
    if left > 0:
        with open(name, "w", encoding="ascii") as out:
            out.write(str(left - 1))
    return left > 0


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        wanted = self.headers.get("Range", "")
        with open(log, "a", encoding="utf-8") as out:
            out.write(f"{self.path} {wanted}\n")
        try:
            with open(os.path.join(folder, os.path.basename(self.path)), "rb") as data:
                text = data.read()
        except OSError:
            self.send_error(404)
            return
        match = re.fullmatch(r"bytes=(\d+)-", wanted)
        first = int(match.group(1)) if match and not os.path.exists(os.path.join(folder, "whole")) else 0
        if first >= len(text) > 0:
            self.send_error(416)
            return
        self.send_response(206 if first else 200)
        if first:
            self.send_header("Content-Range", f"bytes {first}-{len(text) - 1}/{len(text)}")
        self.send_header("Content-Length", str(len(text) - first))
        self.end_headers()
        self.wfile.write(text[first:first + 1000] if cut_now() else text[first:])

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
with open(port_file + ".part", "w", encoding="ascii") as port:
    port.write(str(server.server_address[1]))
os.rename(port_file + ".part", port_file)
server.serve_forever()
