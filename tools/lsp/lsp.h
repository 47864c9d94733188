/*
 * `orrery lsp`: a language server (Language Server Protocol 3.17, microsoft.github.io) on standard
 * input and output. The messages of `orrery analyze` are diagnostics, a loop's plan is a hover over
 * its header, the edits that messages propose are code actions.
 *
 * Each analysis runs in a process of its own: the server answers meanwhile, an analysis of text that
 * has changed since is ended, and what one needs or spoils goes with it.
 */
#ifndef ORRERY_TOOLS_LSP_H
#define ORRERY_TOOLS_LSP_H

#include "tools/pipeline/pipeline.h"

#include <jansson.h>

struct lsp_request {
    const char *database; /* folder of compile_commands.json; NULL: one is looked for */
    bool all;             /* unmarked loops too */
    struct arg_list cflags, effects;
};

/* Serves until the client says `exit` or closes the input. Returns the exit status: 1 for an `exit`
 * without `shutdown` and for input that is no message, else 0. */
int lsp_serve(const struct lsp_request *request);

/* ---- wire.c: messages -------------------------------------------------------------------------- */

/* What has come in and is no whole message yet. */
struct lsp_input {
    char *bytes;
    size_t count, room;
};

/* Takes what can be read from `fd` now. False: it has ended. */
bool lsp_input_read(struct lsp_input *input, int fd);

enum lsp_next { LSP_NONE, LSP_MESSAGE, LSP_NO_JSON, LSP_NO_HEADER };

/* The next whole message, whose value the caller gives back, is in `message` (LSP_MESSAGE). Behind a
 * header that says no length nothing can be found any more (LSP_NO_HEADER). */
enum lsp_next lsp_input_next(struct lsp_input *input, json_t **message);

/* Sends a message, which it gives back. False: nobody reads. */
bool lsp_send(json_t *message);

/* ---- answer.c: one analysis, in the process that was made for it -------------------------------- */

/* A text as the client has it now. */
struct lsp_text {
    const char *uri, *path; /* `path`: absolute */
    const char *text;
    bool utf8; /* characters of a place are bytes, else UTF-16's units */
};

/* {"diagnostics": [LSP's], "actions": [{"range", "action"}], "hovers": [{"range", "contents"}]} */
json_t *lsp_answer(struct arena *arena, const struct lsp_request *request,
                   const struct lsp_text *text);

/* ---- place.c: places and names of files --------------------------------------------------------- */

/* Places in one file are numbers of lines and of characters in LSP, from 0. */
json_t *lsp_range(const char *text, const struct range *range, bool utf8);

/* The path of a file: URI, in the arena; NULL for any other. */
const char *lsp_path(struct arena *arena, const char *uri);

/* Do the lines of two of LSP's ranges meet? */
bool lsp_ranges_meet(const json_t *a, const json_t *b);

#endif
