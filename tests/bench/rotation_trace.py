"""rotation_trace.py TRACE BYTES_PER_CLOCK CLOCKS SECONDS_PER_BYTE LATENCY: of a run's passes but the first, the share
of the messages' time on the wire in which no worker waited for a baton, over all ranks."""
import json
import sys

trace, bytes_per_clock, clocks, per_byte, latency = sys.argv[1], *map(float, sys.argv[2:])
events = json.load(open(trace))
events = events["traceEvents"] if isinstance(events, dict) else events
names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
of = lambda word: [e for e in events if e["ph"] == "X" and names[e["pid"], e["tid"]].startswith(word)]
regions = sorted((e["ts"], e["ts"] + e["dur"]) for e in of("program"))[1:]
inside = lambda e: any(a <= e["ts"] < b for a, b in regions)
waited = sum(e["dur"] for e in of("worker") if e["name"] == "wait" and inside(e)) * 1e-6
arrivals = sum(inside(e) for e in of("messages in"))
wire = arrivals * latency + len(regions) * clocks * bytes_per_clock * per_byte
print("%.3f %.6f %.6f" % (max(0, 1 - waited / wire), waited / len(regions), wire / len(regions)))
