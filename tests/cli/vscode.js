/* The extension in a room of its own: what VS Code has of `vscode` is played here, the server is the real one.
 * usage: node vscode.js EXTENSION-FOLDER ORRERY FILE.c */
"use strict";
const Module = require("module");
const assert = require("assert");
const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");

const [, , folder, orrery, file] = process.argv;
const shown = new Map(), told = [], hooks = {}, providers = {}, commands = {};
const hook = (name) => (f) => ((hooks[name] = f), { dispose() {} });
class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range { constructor(a, b, c, d) { this.start = new Position(a, b); this.end = new Position(c, d); } }
class Uri { constructor(text) { this.text = text; this.scheme = text.split(":")[0]; } toString() { return this.text; } static parse(t) { return new Uri(t); } }
class WorkspaceEdit { constructor() { this.edits = []; } replace(uri, range, text) { this.edits.push([uri, range, text]); } }
class MarkdownString { constructor() { this.value = ""; } appendMarkdown(t) { this.value += t; } appendCodeblock(t) { this.value += t; } }
const plain = (...names) => class { constructor(...values) { names.forEach((n, i) => { this[n] = values[i]; }); } };
let text = fs.readFileSync(file, "utf8");
const document = { languageId: "c", uri: new Uri(pathToFileURL(path.resolve(file)).href), version: 1, getText: () => text };
const settings = { command: orrery, arguments: [] };
const vscode = {
  Range, Uri, WorkspaceEdit, MarkdownString,
  Diagnostic: plain("range", "message", "severity"), DiagnosticRelatedInformation: plain("location", "message"),
  Location: plain("uri", "range"), Hover: plain("contents", "range"), CodeAction: plain("title", "kind"),
  CodeActionKind: { QuickFix: "quickfix" },
  window: { showErrorMessage: (m) => told.push(m) },
  commands: { registerCommand: (name, f) => ((commands[name] = f), { dispose() {} }) },
  languages: {
    createDiagnosticCollection: () => ({
      set: (uri, list) => shown.set(uri.toString(), list), delete: (uri) => shown.delete(uri.toString()), clear: () => shown.clear(), dispose() {} }),
    registerHoverProvider: (s, p) => ((providers.hover = p.provideHover), { dispose() {} }),
    registerCodeActionsProvider: (s, p) => ((providers.actions = p.provideCodeActions), { dispose() {} }),
  },
  workspace: {
    getConfiguration: () => ({ get: (name) => settings[name] }), textDocuments: [document],
    onDidOpenTextDocument: hook("open"), onDidChangeTextDocument: hook("change"), onDidSaveTextDocument: hook("save"), onDidCloseTextDocument: hook("close"),
  },
};
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));

async function until(what, good) {
  for (let i = 0; i < 2000; ++i) {
    const value = await good();
    if (value) return value;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error("waited in vain for " + what);
}
const list = () => shown.get(document.uri.toString()) || [];

async function main() {
  const { main: entry } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const extension = require(path.resolve(folder, entry));
  const context = { subscriptions: [] };
  await extension.activate(context);
  const wrong = (await until("an error", () => list().length === 1 && list()))[0];
  assert.deepStrictEqual([wrong.severity, wrong.source, wrong.range.start.line], [0, "orrery", 1]);
  assert.match(String(wrong.code), /^ORR9/);
  const [action] = await providers.actions(document, new Range(1, 0, 1, 0));
  const [uri, range, words] = action.edit.edits[0];
  assert.strictEqual(uri.toString(), document.uri.toString());
  const lines = text.split("\n"), row = lines[range.start.line];
  assert.strictEqual(range.start.line, range.end.line);
  lines[range.start.line] = row.slice(0, range.start.character) + words + row.slice(range.end.character);
  text = lines.join("\n");
  document.version = 2;
  hooks.change({ document });
  const good = await until("a verdict", () => list().length === 1 && list()[0].severity === 2 && list()[0]);
  assert.match(good.message, /parallel/);
  const hover = await until("a hover", () => providers.hover(document, new Position(2, 10)));
  assert.match(hover.contents.value, /array: a resident by i/);
  await commands["orrery.restart"]();
  await until("the verdict again", () => list().length === 1 && list()[0].severity === 2);
  hooks.close(document);
  assert.strictEqual(list().length, 0);
  await extension.deactivate();
  assert.deepStrictEqual(told, []);
  settings.command = "/no/such/orrery";
  await extension.activate({ subscriptions: [] });
  await until("a message", () => told.length === 1);
  assert.match(told[0], /cannot run '\/no\/such\/orrery'/);
}
main().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
