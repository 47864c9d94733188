#!/usr/bin/env python3
"""Holds a SARIF 2.1.0 log against the standard (OASIS, sections 3.13 to 3.58, as far as we write them).

usage: sarif_check.py LOG.sarif FOLDER

Every object may have only the properties that the standard gives it, with their types, and must have
those that it requires; rule indices, levels and kinds have to agree; every region has to lie inside of
its file (below FOLDER), and what an edit deletes, too. When SARIF_SCHEMA names the official
sarif-schema-2.1.0.json and Python has jsonschema, the log is validated against that as well (the schema's
terms do not let us keep a copy here). Prints `N results`.
"""
import json
import os
import sys
import urllib.parse

TEXT, NUMBER, FLAG = str, int, bool

# name: (required, optional); "*x" is an array of x.
SHAPES = {
    "log": ({"version": TEXT, "runs": "*run"}, {"$schema": TEXT}),
    "run": ({"tool": "tool", "results": "*result"},
            {"invocations": "*invocation", "columnKind": TEXT}),
    "tool": ({"driver": "driver"}, {}),
    "driver": ({"name": TEXT}, {"version": TEXT, "semanticVersion": TEXT, "rules": "*rule",
                                "informationUri": TEXT}),
    "rule": ({"id": TEXT}, {"shortDescription": "text", "fullDescription": "text", "help": "text",
                            "helpUri": TEXT, "defaultConfiguration": "configuration"}),
    "configuration": ({}, {"level": TEXT}),
    "text": ({"text": TEXT}, {"markdown": TEXT}),
    "invocation": ({"executionSuccessful": FLAG}, {"exitCode": NUMBER}),
    "result": ({"message": "text"},
               {"ruleId": TEXT, "ruleIndex": NUMBER, "kind": TEXT, "level": TEXT,
                "locations": "*location", "relatedLocations": "*location", "fixes": "*fix",
                "properties": dict, "partialFingerprints": dict}),
    "location": ({}, {"id": NUMBER, "physicalLocation": "physical", "message": "text"}),
    "physical": ({"artifactLocation": "artifact"}, {"region": "region"}),
    "artifact": ({"uri": TEXT}, {}),
    "region": ({"startLine": NUMBER}, {"startColumn": NUMBER, "endLine": NUMBER,
                                       "endColumn": NUMBER}),
    "fix": ({"artifactChanges": "*change"}, {"description": "text"}),
    "change": ({"artifactLocation": "artifact", "replacements": "*replacement"}, {}),
    "replacement": ({"deletedRegion": "region"}, {"insertedContent": "content"}),
    "content": ({}, {"text": TEXT}),
}


def fail(place, words):
    sys.exit(f"{place}: {words}")


def check_shape(value, shape, place):
    if isinstance(shape, type):
        if not isinstance(value, shape) or (shape is NUMBER and isinstance(value, bool)):
            fail(place, f"{value!r} is no {shape.__name__}")
        return
    if shape.startswith("*"):
        if not isinstance(value, list):
            fail(place, "no array")
        for i, item in enumerate(value):
            check_shape(item, shape[1:], f"{place}[{i}]")
        return
    required, optional = SHAPES[shape]
    if not isinstance(value, dict):
        fail(place, "no object")
    for name in required:
        if name not in value:
            fail(place, f"lacks {name}")
    for name, item in value.items():
        if name not in required and name not in optional:
            fail(place, f"has an unknown {name}")
        check_shape(item, required.get(name) or optional.get(name), f"{place}.{name}")


def lines_of(folder, uri, cache={}):
    path = urllib.parse.unquote(urllib.parse.urlparse(uri).path)
    path = os.path.join(folder, path)
    if path not in cache:
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            cache[path] = file.read().split("\n")
    return cache[path]


def check_region(region, lines, place):
    first, last = region["startLine"], region.get("endLine", region["startLine"])
    begin, end = region.get("startColumn", 1), region.get("endColumn", 1)
    if not 1 <= first <= last <= len(lines) or (first == last and end < begin):
        fail(place, f"lines {first} to {last}, columns {begin} to {end}")
    if not 1 <= begin <= len(lines[first - 1]) + 2 or not 1 <= end <= len(lines[last - 1]) + 2:
        fail(place, f"columns {begin}, {end} are outside of the lines")


def check_result(result, rules, folder, place):
    if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
        fail(place, "its rule index is another rule's")
    if result["level"] not in ("none", "note", "warning", "error"):
        fail(place, "unknown level")
    if (result["kind"] != "fail") != (result["level"] == "none"):
        fail(place, "a level other than none asks for the kind fail")
    for location in result["locations"] + result.get("relatedLocations", []):
        physical = location["physicalLocation"]
        check_region(physical["region"], lines_of(folder, physical["artifactLocation"]["uri"]),
                     place)
    prints = result["partialFingerprints"]
    if not prints or not all(isinstance(value, str) and value for value in prints.values()):
        fail(place, "its fingerprints are no texts")
    for fix in result.get("fixes", []):
        for change in fix["artifactChanges"]:
            lines = lines_of(folder, change["artifactLocation"]["uri"])
            if not change["replacements"]:
                fail(place, "a change without replacements")
            for replacement in change["replacements"]:
                check_region(replacement["deletedRegion"], lines, place)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        log = json.load(file)
    check_shape(log, "log", "log")
    if log["version"] != "2.1.0":
        fail("log", "another version")
    run = log["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    if len({rule["id"] for rule in rules}) != len(rules):
        fail("rules", "one is there twice")
    for rule in rules:
        if not rule["help"]["text"] or not rule["shortDescription"]["text"]:
            fail(rule["id"], "explains nothing")
        if not rule.get("helpUri", "").startswith("file:///"):
            fail(rule["id"], "has no page")
    names = [(result["ruleId"], result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
              tuple(result["partialFingerprints"].items())) for result in run["results"] if result["locations"]]
    if len(set(names)) != len(names):
        fail("results", "two have one fingerprint")
    for i, result in enumerate(run["results"]):
        check_result(result, rules, sys.argv[2], f"results[{i}]")
    schema = os.environ.get("SARIF_SCHEMA")
    if schema:
        import jsonschema
        with open(schema, encoding="utf-8") as file:
            schema = json.load(file)
        jsonschema.validators.validator_for(schema)(schema).validate(log)
    print(len(run["results"]), "results")


main()
