#!/usr/bin/env python3
"""What the commands print as JSON keeps to the schemas of docs/schemas, which leave room for more fields.

usage: schemas.py BUILD TREE

Here they do not: a field that a schema does not name, or that no output has, is a fault of the schema.
"""
import copy
import glob
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings

if importlib.util.find_spec("jsonschema") is None:
    if sys.executable != "/usr/bin/python3" and os.path.exists("/usr/bin/python3"):
        os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)
warnings.simplefilter("ignore", DeprecationWarning)
import jsonschema  # noqa: E402

# Fields that none of these few runs has.
SELDOM = {"best", "late", "lines", "stage", "ranges_late", "contention", "unseen", "gives_up", "bits",
          "measured_grid", "measured_grid_times_as_long", "rejected_runs"}
BASE = "file:///schemas/"


def closed(schema):
    """No object has other fields than those that are named."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: closed(value) for key, value in schema.items()}
    if isinstance(out.get("properties"), dict) and out.get("type") == "object":
        out.setdefault("additionalProperties", False)
    return out


def fields(schema, into):
    if isinstance(schema, list):
        for part in schema:
            fields(part, into)
    elif isinstance(schema, dict):
        for key, value in schema.items():
            if key == "properties" and isinstance(value, dict) and "type" in schema:
                into |= set(value)
            fields(value, into)


def fields_met(value, into):
    for part in value if isinstance(value, list) else value.values() if isinstance(value, dict) else ():
        fields_met(part, into)
    if isinstance(value, dict):
        into |= set(value)


class Schemas:
    def __init__(self, tree):
        self.store, self.names, self.met = {}, {}, {}
        for path in glob.glob(os.path.join(tree, "docs", "schemas", "*.json")):
            with open(path, encoding="utf-8") as file:
                schema = json.load(file)
            jsonschema.Draft202012Validator.check_schema(schema)
            name = schema["properties"]["schema"]["const"]
            self.names[name] = BASE + os.path.basename(path)
            assert os.path.basename(path) == name.replace("/", "-") + ".json", path
            self.store[self.names[name]] = closed(copy.deepcopy(schema))
            self.met[name] = set()

    def check(self, document, what):
        name = document["schema"]
        uri = self.names[name]
        resolver = jsonschema.RefResolver(uri, self.store[uri], store=self.store)
        validator = jsonschema.Draft202012Validator(self.store[uri], resolver=resolver)
        for error in validator.iter_errors(document):
            sys.exit(f"{what}: {name}: {'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
        fields_met(document, self.met[name])

    def check_met(self):
        every = set().union(*self.met.values())
        for name, uri in self.names.items():
            if not self.met[name]:
                sys.exit(f"{name}: nothing was held against it")
            named = set()
            fields(self.store[uri], named)
            unknown = named - every - SELDOM
            if unknown:
                sys.exit(f"{name}: no output has {', '.join(sorted(unknown))}")


class Runs:
    def __init__(self, build, tree, schemas):
        self.bin, self.tree, self.schemas, self.count = os.path.join(build, "bin"), tree, schemas, 0

    def run(self, *words, env=None):
        command = [os.path.join(self.bin, words[0])] if words[0].startswith("orrery") else [words[0]]
        return subprocess.run(command + list(words[1:]), text=True, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env={**os.environ, **(env or {})})

    def hold(self, *words, env=None):
        text, decoder, at = self.run(*words, env=env).stdout, json.JSONDecoder(), 0
        if not text.strip():
            sys.exit(f"{' '.join(words)}: prints nothing")
        while text[at:].strip():
            document, at = decoder.raw_decode(text, at + re.match(r"\s*", text[at:]).end())
            self.schemas.check(document, " ".join(words))
            self.count += 1
        return text

    def hold_file(self, path):
        with open(path, encoding="utf-8") as file:
            self.schemas.check(json.load(file), path)

    def programs(self, folder, every):
        return sorted(glob.glob(os.path.join(self.tree, "tests", "programs", folder, "*.c")))[::every]


STEP = """#include <stdio.h>
#include <stdlib.h>
static double x[5000];
int main(int argc, char **argv) {
    double rate = atof(argv[1]), sum = 0;
    for (int pass = 0; pass < 2; ++pass) {
        sum = 0;
#pragma orrery parallel
        for (int i = 0; i < 5000; ++i) {
            x[i] -= rate * 2 * (x[i] - 3);
            sum += (x[i] - 3) * (x[i] - 3);
        }
    }
    printf("loss %.6g\\n", sum);
    return rate > 5;
}
"""
CLUSTER = {"schema": "orrery-cluster/1", "name": "two", "nodes": 2, "cores_per_node": 4, "memory_gb": 1e-6,
           "core_speed": 1.0, "contention": 1.0, "shared_pages": True, "block_us": 0.03, "nodes_per_switch": 1,
           "nodes_per_computer": 1, "gpus_per_node": 1, "gpu_speed": 2.0, "gpu_memory_gb": 8,
           "gpu_link": {"latency_us": 10}, "between_switches": {"latency_us": 20, "burst_kb": 3},
           "within_node": {"latency_us": 0.5, "gigabytes_per_s": 8, "test_us": 0.1},
           "between_nodes": {"latency_us": 14, "overhead_us": 5, "overhead_us_per_mb": 400}}


def compile_side(runs):
    lists = [runs.programs("refuse", 9), runs.programs("accept", 5), runs.programs("relaxed", 3),
             runs.programs("shapes", 4), runs.programs("passes", 3)]
    pipes = [path for path in runs.programs("accept", 1) + runs.programs("shapes", 1) if "pipe" in path][:3]
    every = [path for paths in lists for path in paths] + pipes
    with open("broken.c", "w", encoding="utf-8") as file:
        file.write("int f( {\n")
    runs.hold("orrery", "analyze", "--all", "--format=json", "broken.c", *every)
    runs.hold("orrery", "analyze", "--dump=functions", *every[::4])
    runs.hold("orrery", "fix", "--format=json", *lists[0][::2])
    for name in ("mf", "lda", "embed"):
        runs.hold("orrery", "plan", os.path.join(runs.tree, "samples", name, name + ".c"))
    with open("types.c", "w", encoding="utf-8") as file:
        file.write("struct s { int a : 3, b; double v[4]; };\n"
                   "double f(int n, double x[n], struct s *s) { return x[0] + s->b; }\n")
    runs.hold("orrery", "analyze", "--dump=functions", "types.c")
    before = runs.run("orrery", "analyze", "--all", "--format=json", *lists[1][:4]).stdout
    for name, text in (("before.json", before), ("after.json", before.replace('"parallel"', '"serial"'))):
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    runs.hold("orrery", "diff", "--format=json", "before.json", "after.json")
    with open("after.json", "w", encoding="utf-8") as file:
        file.write(before.split("\n")[0] + "\n")
    runs.hold("orrery", "diff", "--format=json", "before.json", "after.json")
    runs.hold("orrery", "doctor", "--format=json")


def run_side(runs):
    with open("step.c", "w", encoding="utf-8") as file:
        file.write(STEP)
    for flags, name in (((), "step"), (("-accesses",), "watched")):
        done = runs.run("orrery-cc", "-O1", *flags, "step.c", "-o", name)
        if done.returncode:
            sys.exit(f"step.c: {done.stderr}")
    runs.hold("orrery", "verify", "--accesses", "--format=json", "./watched", ".1")
    runs.hold("orrery", "tune", "--set", "rate=.1,9", "--score", "loss", "--format=json", "./step", "{rate}")
    runs.run("./step", ".1", env={"ORRERY_PROFILE": "step.profile", "ORRERY_THREADS": "1"})
    with open("cluster.json", "w", encoding="utf-8") as file:
        json.dump(CLUSTER, file)
    runs.hold_file("cluster.json")
    runs.hold("orrery", "simulate", "--ranks", "1..16", "--format=json", "step.profile")
    runs.hold("orrery", "simulate", "--ranks", "1..4", "--cluster=cluster.json", "--format=json", "step.profile")
    on_gpu(runs)


def on_gpu(runs):
    """orrery simulate --gpu, with tools that know one kernel."""
    program = os.path.join(runs.tree, "tests", "programs", "gpu", "rotation.c")
    runs.run("orrery-cc", "-O1", program, "-o", "rotation", "-lm")
    runs.run("./rotation", "5", "70", "400",
             env={"ORRERY_PROFILE": "gpu.profile", "ORRERY_THREADS": "1", "ORRERY_VISITS": "1"})
    runs.run("orrery", "emit", "-target", "gpu", "--kernels", "rotation.cu", "-o", "rotation.gpu.c", program)
    with open("rotation.cu", encoding="utf-8") as file:
        kernel = re.search(r"ORRERY_ENTRY\((\w+)_entry", file.read()).group(1)
    runs.run("bash", os.path.join(runs.tree, "tests", "cli", "gpu_tools.sh"), kernel)
    runs.hold("orrery", "simulate", "--gpu=h200", "--kernels=rotation.cu", "--row=32", "--loop=rotation.c:19", "--format=json",
              "gpu.profile",
              env={"ORRERY_NVCC": os.path.abspath("tools/nvcc"), "ORRERY_NVDISASM": os.path.abspath("tools/nvdisasm")})


def main():
    schemas = Schemas(sys.argv[2])
    runs = Runs(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), schemas)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        compile_side(runs)
        run_side(runs)
        os.chdir("/")
    schemas.check_met()
    print(f"{len(schemas.names)} schemas, {runs.count} documents")


main()
