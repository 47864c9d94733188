/* The server: what the client says, and when which text is analyzed. */
#define _GNU_SOURCE
#include "tools/base/status.h"
#include "tools/lsp/lsp.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Milliseconds without a change before changed text is analyzed; those that an analysis may take. */
enum { PAUSE = 300, LONGEST = 60000 };

/* A text that the client has open. */
struct document {
    char *uri, *text;   /* its name; its text as the client has it now */
    json_int_t version; /* of `text`, as the client counts them */
    bool old;           /* `answer` is not of this text */
    long due;           /* when it is to be analyzed, or the analysis given up; 0: never */
    pid_t pid;          /* of its analysis; 0: none runs */
    int from;           /* what that writes its answer to */
    char *got;          /* of it, so far */
    size_t ngot;        /* bytes of `got` */
    json_t *answer;     /* the last one; NULL: none */
};

struct server {
    const struct lsp_request *request;
    struct lsp_input input;
    int ndocuments, status;
    struct document **documents;
    bool utf8, shut, ended; /* shut: after `shutdown` */
};

static long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000 + 1;
}

/* ---- analyses --------------------------------------------------------------------------------- */

static void job_stop(struct document *d) {
    if (d->pid == 0)
        return;
    kill(d->pid, SIGKILL);
    waitpid(d->pid, NULL, 0);
    close(d->from);
    free(d->got);
    d->got = NULL;
    d->ngot = 0;
    d->pid = 0;
    d->due = 0;
}

/* In the process of its own. */
static void job_run(const struct server *s, const struct document *d, int to) {
    struct arena *arena = arena_new();
    dup2(STDERR_FILENO, STDOUT_FILENO);
    struct lsp_text text = {
        .uri = d->uri, .path = lsp_path(arena, d->uri), .text = d->text, .utf8 = s->utf8};
    json_t *answer = lsp_answer(arena, s->request, &text);
    FILE *out = fdopen(to, "w");
    bool good = out && json_dumpf(answer, out, JSON_COMPACT) == 0 && fclose(out) == 0;
    _exit(good ? 0 : 1);
}

static void job_start(struct server *s, struct document *d) {
    int ends[2];
    job_stop(d);
    d->due = 0;
    if (pipe(ends) != 0)
        return;
    fflush(NULL);
    d->pid = fork();
    if (d->pid == 0)
        job_run(s, d, ends[1]);
    close(ends[1]);
    d->from = ends[0];
    d->due = now() + LONGEST;
    if (d->pid < 0) {
        close(ends[0]);
        d->pid = 0;
        d->due = 0;
    }
}

static void publish(const struct document *d, json_t *diagnostics) {
    lsp_send(json_pack("{s:s, s:s, s:{s:s, s:I, s:O}}", "jsonrpc", "2.0", "method",
                       "textDocument/publishDiagnostics", "params", "uri", d->uri, "version",
                       d->version, "diagnostics", diagnostics));
}

static void publish_failure(const struct document *d, const char *why) {
    json_t *list = json_pack("[{s:{s:{s:i, s:i}, s:{s:i, s:i}}, s:i, s:s, s:s}]", "range", "start",
                             "line", 0, "character", 0, "end", "line", 0, "character", 1,
                             "severity", 1, "source", "orrery", "message", why);
    publish(d, list);
    json_decref(list);
}

/* The process has written all that it will, or is given up. */
static void job_end(struct document *d, bool late) {
    json_t *answer = late ? NULL : json_loadb(d->got, d->ngot, 0, NULL);
    job_stop(d);
    if (!answer) {
        publish_failure(d, late ? "orrery: the analysis took more than a minute and was ended"
                                : "orrery: the analysis failed; run 'orrery analyze' on the file");
        return;
    }
    json_decref(d->answer);
    d->answer = answer;
    d->old = false;
    publish(d, json_object_get(answer, "diagnostics"));
}

static void job_read(struct document *d) {
    char piece[65536];
    ssize_t got = read(d->from, piece, sizeof piece);
    char *all = got > 0 ? realloc(d->got, d->ngot + (size_t)got) : NULL;
    if (got < 0 && errno == EINTR)
        return;
    if (all) {
        memcpy(all + d->ngot, piece, (size_t)got);
        d->got = all;
        d->ngot += (size_t)got;
    } else {
        job_end(d, false);
    }
}

/* ---- documents -------------------------------------------------------------------------------- */

static const char *string_at(const json_t *json, const char *key) {
    return json_string_value(json_object_get(json, key));
}

static const char *uri_in(const json_t *params) {
    const char *uri = string_at(json_object_get(params, "textDocument"), "uri");
    return uri ? uri : "";
}

/* Where the document of `uri` is in the list; their number: it is not open. */
static int document_find(const struct server *s, const char *uri) {
    int i = 0;
    while (i < s->ndocuments && strcmp(s->documents[i]->uri, uri) != 0)
        ++i;
    return i;
}

static struct document *document_of(const struct server *s, const json_t *params) {
    int i = document_find(s, uri_in(params));
    return i < s->ndocuments ? s->documents[i] : NULL;
}

static void document_close(struct server *s, const char *uri) {
    int i = document_find(s, uri);
    if (i == s->ndocuments)
        return;
    struct document *d = s->documents[i];
    job_stop(d);
    free(d->uri);
    free(d->text);
    json_decref(d->answer);
    free(d);
    s->documents[i] = s->documents[--s->ndocuments];
}

static void text_set(struct document *d, const char *text, long due) {
    char *copy = strdup(text);
    job_stop(d);
    free(d->text);
    d->text = copy;
    d->old = true;
    d->due = due;
}

/* C files only: a header is analyzed where it is included. */
static void did_open(struct server *s, json_t *params) {
    const json_t *item = json_object_get(params, "textDocument");
    const char *uri = uri_in(params), *text = string_at(item, "text");
    const char *language = string_at(item, "languageId");
    size_t length = strlen(uri);
    bool header = length > 2 && strcmp(uri + length - 2, ".h") == 0;
    bool is_c = strncmp(uri, "file://", 7) == 0 && language && strcmp(language, "c") == 0;
    if (!is_c || header || !text)
        return;
    document_close(s, uri);
    void *more = realloc(s->documents, (size_t)(s->ndocuments + 1) * sizeof *s->documents);
    struct document *d = more ? calloc(1, sizeof *d) : NULL;
    s->documents = more ? more : s->documents;
    if (!d)
        return;
    s->documents[s->ndocuments++] = d;
    d->uri = strdup(uri);
    d->version = json_integer_value(json_object_get(item, "version"));
    text_set(d, text, now());
}

/* The whole text each time, as `initialize` asked for. */
static void did_change(struct server *s, json_t *params) {
    struct document *d = document_of(s, params);
    const json_t *changes = json_object_get(params, "contentChanges");
    size_t count = json_array_size(changes);
    const char *text = count ? string_at(json_array_get(changes, count - 1), "text") : NULL;
    if (!d || !text)
        return;
    const json_t *item = json_object_get(params, "textDocument");
    d->version = json_integer_value(json_object_get(item, "version"));
    text_set(d, text, now() + PAUSE);
}

/* What others include may have changed, so all are looked at again, this one first. */
static void did_save(struct server *s, json_t *params) {
    const struct document *saved = document_of(s, params);
    for (int i = 0; i < s->ndocuments; ++i) {
        struct document *d = s->documents[i];
        if (d->pid == 0)
            d->due = now() + (d == saved ? 0 : PAUSE);
    }
}

static void did_close(struct server *s, json_t *params) {
    struct document *d = document_of(s, params);
    json_t *none = json_array();
    if (d)
        publish(d, none);
    json_decref(none);
    document_close(s, uri_in(params));
}

/* ---- questions -------------------------------------------------------------------------------- */

static json_t *initialize(struct server *s, json_t *params) {
    const json_t *general = json_object_get(json_object_get(params, "capabilities"), "general");
    json_t *encodings = json_object_get(general, "positionEncodings"), *one;
    size_t i;
    json_array_foreach(encodings, i, one) {
        s->utf8 |= json_is_string(one) && strcmp(json_string_value(one), "utf-8") == 0;
    }
    return json_pack("{s:{s:s, s:{s:b, s:i, s:b}, s:b, s:{s:[s]}}, s:{s:s, s:s}}", "capabilities",
                     "positionEncoding", s->utf8 ? "utf-8" : "utf-16", "textDocumentSync",
                     "openClose", 1, "change", 1, "save", 1, "hoverProvider", 1,
                     "codeActionProvider", "codeActionKinds", "quickfix", "serverInfo", "name",
                     "orrery", "version", ORRERY_VERSION);
}

/* Of the text as it is now, or nothing. */
static json_t *answer_list(const struct server *s, json_t *params, const char *what) {
    const struct document *d = document_of(s, params);
    return d && !d->old ? json_object_get(d->answer, what) : NULL;
}

static json_t *hover(struct server *s, json_t *params) {
    json_t *at = json_object_get(params, "position"), *one;
    json_t *range = json_pack("{s:O, s:O}", "start", at, "end", at), *found = NULL;
    size_t i;
    json_array_foreach(answer_list(s, params, "hovers"), i, one) {
        if (range && lsp_ranges_meet(json_object_get(one, "range"), range))
            found = one;
    }
    json_decref(range);
    return found ? json_incref(found) : json_null();
}

static json_t *code_action(struct server *s, json_t *params) {
    const json_t *range = json_object_get(params, "range");
    json_t *list = json_array(), *one;
    size_t i;
    json_array_foreach(answer_list(s, params, "actions"), i, one) {
        if (lsp_ranges_meet(json_object_get(one, "range"), range))
            json_array_append(list, json_object_get(one, "action"));
    }
    return list;
}

static json_t *shut_down(struct server *s, json_t *params) {
    (void)params;
    s->shut = true;
    return json_null();
}

/* ---- messages --------------------------------------------------------------------------------- */

static void nothing(struct server *s, json_t *params) {
    (void)s;
    (void)params;
}

static void leave(struct server *s, json_t *params) {
    (void)params;
    s->ended = true;
    s->status = s->shut ? STATUS_OK : STATUS_INPUT;
}

/* What is asked has an answer; what is told has none. */
static const struct method {
    const char *name;
    json_t *(*ask)(struct server *s, json_t *params);
    void (*tell)(struct server *s, json_t *params);
} methods[] = {
    {"initialize", initialize, NULL},
    {"initialized", NULL, nothing},
    {"shutdown", shut_down, NULL},
    {"exit", NULL, leave},
    {"textDocument/didOpen", NULL, did_open},
    {"textDocument/didChange", NULL, did_change},
    {"textDocument/didSave", NULL, did_save},
    {"textDocument/didClose", NULL, did_close},
    {"textDocument/hover", hover, NULL},
    {"textDocument/codeAction", code_action, NULL},
};

enum { NO_JSON = -32700, NO_REQUEST = -32600, NO_METHOD = -32601 };

static void send_error(json_t *id, int code, const char *why) {
    lsp_send(json_pack("{s:s, s:O, s:{s:i, s:s}}", "jsonrpc", "2.0", "id", id, "error", "code",
                       code, "message", why));
}

static void take(struct server *s, json_t *message) {
    const char *name = string_at(message, "method");
    json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
    const struct method *found = NULL;
    for (size_t i = 0; name && i < sizeof methods / sizeof *methods; ++i)
        if (strcmp(methods[i].name, name) == 0)
            found = &methods[i];
    if (found && found->tell)
        found->tell(s, params);
    else if (found && id && s->shut)
        send_error(id, NO_REQUEST, "the server has been shut down");
    else if (found && id)
        lsp_send(json_pack("{s:s, s:O, s:o}", "jsonrpc", "2.0", "id", id, "result",
                           found->ask(s, params)));
    else if (id && name)
        send_error(id, NO_METHOD, "no such method");
    else if (!name && !json_object_get(message, "result") && !json_object_get(message, "error"))
        send_error(id ? id : json_null(), NO_REQUEST, "no \"method\"");
}

static void take_all(struct server *s) {
    json_t *message = NULL;
    enum lsp_next next;
    while (!s->ended && (next = lsp_input_next(&s->input, &message)) != LSP_NONE) {
        if (next == LSP_MESSAGE)
            take(s, message);
        else if (next == LSP_NO_JSON)
            send_error(json_null(), NO_JSON, "the message is no JSON");
        else
            s->ended = fprintf(stderr, "orrery lsp: error: a message without Content-Length: this "
                                       "is no client of a language server\n") != 0;
        json_decref(next == LSP_MESSAGE ? message : NULL);
    }
}

/* ---- the loop --------------------------------------------------------------------------------- */

/* Milliseconds until something is due; -1: nothing is. */
static int due_in(const struct server *s) {
    long first = 0;
    for (int i = 0; i < s->ndocuments; ++i) {
        long due = s->documents[i]->due;
        first = due && (!first || due < first) ? due : first;
    }
    long left = first - now();
    return !first ? -1 : left > 0 ? (int)left : 0;
}

static void do_due(struct server *s) {
    for (int i = 0; i < s->ndocuments; ++i) {
        struct document *d = s->documents[i];
        if (!d->due || d->due > now())
            continue;
        if (d->pid)
            job_end(d, true);
        else
            job_start(s, d);
    }
}

/* Reads what has come from the analyses and from the client. */
static void listen(struct server *s) {
    int count = s->ndocuments;
    struct pollfd *fds = calloc((size_t)count + 1, sizeof *fds);
    fds[count] = (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
    for (int i = 0; i < count; ++i)
        fds[i] = (struct pollfd){.fd = s->documents[i]->pid ? s->documents[i]->from : -1,
                                 .events = POLLIN};
    int ready = poll(fds, (nfds_t)count + 1, due_in(s));
    for (int i = 0; ready > 0 && i < count; ++i)
        if (fds[i].revents)
            job_read(s->documents[i]);
    if (ready > 0 && fds[count].revents) {
        s->ended = !lsp_input_read(&s->input, STDIN_FILENO);
        s->status = s->ended ? STATUS_OK : s->status;
        take_all(s);
    }
    free(fds);
}

int lsp_serve(const struct lsp_request *request) {
    struct server s = {.request = request, .status = STATUS_INPUT};
    signal(SIGPIPE, SIG_IGN);
    while (!s.ended && !ferror(stdout)) {
        do_due(&s);
        listen(&s);
    }
    while (s.ndocuments > 0)
        document_close(&s, s.documents[0]->uri);
    free(s.documents);
    free(s.input.bytes);
    return s.status;
}
