/*
 * A client for `orrery lsp`, as small as it goes: documents go there as they change, diagnostics come back, hovers and
 * edits are asked for. Nothing but VS Code's own interface is needed.
 */
"use strict";
const vscode = require("vscode");
const { spawn } = require("child_process");

const ENDED = new Error("orrery lsp has ended");

/* One process of the server, and what is under way to it (JSON-RPC 2.0 with LSP's headers). */
class Server {
  constructor(command, args, heard, ended) {
    this.waiting = new Map();
    this.bytes = Buffer.alloc(0);
    this.next = 1;
    this.heard = heard;
    this.child = spawn(command, ["lsp", ...args], { stdio: ["pipe", "pipe", "ignore"] });
    this.child.stdout.on("data", (data) => this.read(data));
    this.child.stdin.on("error", () => {});
    const end = (why) => {
      if (!this.child) return;
      this.child = null;
      for (const one of this.waiting.values()) one.reject(ENDED);
      this.waiting.clear();
      ended(why);
    };
    this.child.on("error", (error) => end(`cannot run '${command}': ${error.message}`));
    this.child.on("exit", (code, signal) => end(this.leaving ? "" : `ended with ${signal || "status " + code}`));
  }

  write(message) {
    if (!this.child) return;
    const text = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }), "utf8");
    this.child.stdin.write(`Content-Length: ${text.length}\r\n\r\n`);
    this.child.stdin.write(text);
  }

  notify(method, params) {
    this.write({ method, params });
  }

  ask(method, params) {
    if (!this.child) return Promise.reject(ENDED);
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.write({ id, method, params });
    });
  }

  read(data) {
    this.bytes = Buffer.concat([this.bytes, data]);
    for (;;) {
      const head = this.bytes.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number((/Content-Length: *(\d+)/i.exec(this.bytes.toString("ascii", 0, head)) || [])[1]);
      if (!(this.bytes.length >= head + 4 + length)) return;
      const text = this.bytes.toString("utf8", head + 4, head + 4 + length);
      this.bytes = this.bytes.subarray(head + 4 + length);
      this.take(JSON.parse(text));
    }
  }

  take(message) {
    const one = this.waiting.get(message.id);
    if (message.method) this.heard(message);
    else if (one) {
      this.waiting.delete(message.id);
      if (message.error) one.reject(new Error(message.error.message));
      else one.resolve(message.result);
    }
  }

  async stop() {
    if (!this.child) return;
    this.leaving = true;
    await this.ask("shutdown").catch(() => {});
    this.notify("exit");
  }
}

/* ---- between LSP's values and VS Code's */

const rangeOf = (r) => new vscode.Range(r.start.line, r.start.character, r.end.line, r.end.character);

function diagnosticOf(one) {
  const made = new vscode.Diagnostic(rangeOf(one.range), one.message, one.severity - 1);
  made.source = one.source;
  made.code = one.code;
  made.relatedInformation = (one.relatedInformation || []).map(
    (r) =>
      new vscode.DiagnosticRelatedInformation(
        new vscode.Location(vscode.Uri.parse(r.location.uri), rangeOf(r.location.range)), r.message));
  return made;
}

function editOf(edit) {
  const made = new vscode.WorkspaceEdit();
  for (const [uri, edits] of Object.entries(edit.changes || {}))
    for (const one of edits) made.replace(vscode.Uri.parse(uri), rangeOf(one.range), one.newText);
  return made;
}

/* ---- the client */

let server, diagnostics;

const isOurs = (document) => document.languageId === "c" && document.uri.scheme === "file";
const named = (document) => ({ textDocument: { uri: document.uri.toString() } });

function open(document) {
  if (!isOurs(document)) return;
  const { version } = document;
  server.notify("textDocument/didOpen", {
    textDocument: { uri: document.uri.toString(), languageId: "c", version, text: document.getText() },
  });
}

async function start() {
  const settings = vscode.workspace.getConfiguration("orrery");
  const mine = new Server(
    settings.get("command"), settings.get("arguments"),
    (message) => {
      if (message.method === "textDocument/publishDiagnostics" && server === mine)
        diagnostics.set(vscode.Uri.parse(message.params.uri), message.params.diagnostics.map(diagnosticOf));
      else if (message.id !== undefined)
        mine.write({ id: message.id, error: { code: -32601, message: "not known to this client" } });
    },
    (why) => {
      if (server === mine) diagnostics.clear();
      if (why) vscode.window.showErrorMessage(`orrery lsp: ${why} (settings: orrery.command)`);
    });
  server = mine;
  await mine.ask("initialize", { processId: process.pid, rootUri: null, capabilities: {} }).catch(() => {});
  mine.notify("initialized", {});
  vscode.workspace.textDocuments.forEach(open);
}

async function restart() {
  await server.stop();
  diagnostics.clear();
  await start();
}

async function hover(document, position) {
  const found = await server.ask("textDocument/hover", { ...named(document), position }).catch(() => null);
  if (!found) return null;
  const text = new vscode.MarkdownString();
  if (found.contents.kind === "markdown") text.appendMarkdown(found.contents.value);
  else text.appendCodeblock(found.contents.value, "text");
  return new vscode.Hover(text, found.range && rangeOf(found.range));
}

async function actions(document, range) {
  const asked = { ...named(document), range, context: { diagnostics: [] } };
  const found = await server.ask("textDocument/codeAction", asked).catch(() => null);
  return (found || []).map((one) => {
    const made = new vscode.CodeAction(one.title, vscode.CodeActionKind.QuickFix);
    made.edit = editOf(one.edit);
    made.diagnostics = (one.diagnostics || []).map(diagnosticOf);
    return made;
  });
}

async function activate(context) {
  diagnostics = vscode.languages.createDiagnosticCollection("orrery");
  const files = { language: "c", scheme: "file" };
  const change = ({ document }) => {
    if (!isOurs(document)) return;
    const { version } = document;
    server.notify("textDocument/didChange", {
      textDocument: { uri: document.uri.toString(), version }, contentChanges: [{ text: document.getText() }],
    });
  };
  context.subscriptions.push(
    diagnostics,
    vscode.workspace.onDidOpenTextDocument(open),
    vscode.workspace.onDidChangeTextDocument(change),
    vscode.workspace.onDidSaveTextDocument((d) => isOurs(d) && server.notify("textDocument/didSave", named(d))),
    vscode.workspace.onDidCloseTextDocument((d) => {
      if (!isOurs(d)) return;
      server.notify("textDocument/didClose", named(d));
      diagnostics.delete(d.uri);
    }),
    vscode.languages.registerHoverProvider(files, { provideHover: hover }),
    vscode.languages.registerCodeActionsProvider(files, { provideCodeActions: actions },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] }),
    vscode.commands.registerCommand("orrery.restart", restart));
  await start();
}

async function deactivate() {
  if (server) await server.stop();
}

module.exports = { activate, deactivate };
