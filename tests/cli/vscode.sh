#!/bin/bash
# The extension for VS Code: with the real server, in a room where VS Code is played; and packed.
. "$(dirname "$0")/lib.sh"
need node python3

expect 0 "$tree/editors/vscode/pack" "$work"
python3 - "$work"/orrery-*.vsix "$work/unpacked" "$("$orrery" version | sed -n 's/^orrery //p')" <<'END' || fail "the package"
import json, sys, xml.dom.minidom, zipfile
with zipfile.ZipFile(sys.argv[1]) as pack:
    assert pack.testzip() is None
    pack.extractall(sys.argv[2])
    manifest = xml.dom.minidom.parseString(pack.read("extension.vsixmanifest"))
    xml.dom.minidom.parseString(pack.read("[Content_Types].xml"))
    package = json.loads(pack.read("extension/package.json"))
    names = set(pack.namelist())
for asset in manifest.getElementsByTagName("Asset"):
    assert asset.getAttribute("Path") in names, asset.getAttribute("Path")
assert manifest.getElementsByTagName("Identity")[0].getAttribute("Version") == package["version"] == sys.argv[3]
assert "extension/" + package["main"].removeprefix("./") in names
END
printf 'void twice(double *restrict a, long n) {\n#pragma orrery parallell\n    for (long i = 0; i < n; ++i)\n        a[i] *= 2;\n}\n' >twice.c
expect 0 timeout 120 node "$here/vscode.js" "$work/unpacked/extension" "$orrery" twice.c

# The problem matcher reads what orrery analyze prints.
sed 's/parallell/parallel/; s/\[i\] \*= 2/[i + 1] = a[i] * a[i]/' twice.c >chain.c
"$orrery" analyze chain.c twice.c >text 2>&1 || true
node -e '
const fs = require("fs"), matcher = JSON.parse(fs.readFileSync(process.argv[1], "utf8")).contributes.problemMatchers[0].pattern;
const found = fs.readFileSync("text", "utf8").split("\n").map((l) => new RegExp(matcher.regexp).exec(l)).filter(Boolean);
const seen = found.map((m) => [m[matcher.file], m[matcher.line], m[matcher.severity], m[matcher.code]].join(" "));
if (!seen.some((s) => /^chain.c \d+ warning ORR2/.test(s)) || !seen.some((s) => /^twice.c 2 error ORR9/.test(s))) { console.error(seen); process.exit(1); }
' "$work/unpacked/extension/package.json" || fail "the problem matcher"
