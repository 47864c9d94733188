/* One text: diagnostics, code actions and hovers. */
#define _GNU_SOURCE
#include "tools/base/house.h"
#include "tools/lsp/lsp.h"
#include "tools/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An answer on its way. */
struct answer {
    struct arena *arena;
    const struct lsp_text *text;
    struct house house;
    struct compilation c;
    json_t *diagnostics, *actions, *hovers;
};

/* ---- how the file is compiled ---------------------------------------------------------------- */

static const char *database_in(struct arena *arena, const char *folder) {
    static const char *const beside[] = {"", "/build"};
    for (size_t i = 0; i < sizeof beside / sizeof *beside; ++i) {
        const char *name = arena_printf(arena, "%s%s/compile_commands.json", folder, beside[i]);
        if (access(name, R_OK) == 0)
            return name;
    }
    return NULL;
}

/* The database of the nearest folder around the file, or of a folder `build` there; NULL: none. */
static const char *database_near(struct arena *arena, const char *path) {
    char *folder = arena_strdup(arena, path);
    const char *found = NULL;
    for (char *slash; !found && (slash = strrchr(folder, '/'));) {
        *slash = '\0';
        found = database_in(arena, folder);
    }
    return found;
}

/* Alone with the server's flags, unless a database knows it. */
static struct compdb_entry entry_of(struct arena *arena, const struct lsp_request *request,
                                    const char *path) {
    struct compdb db, chosen = {.arena = arena};
    struct compdb_entry entry = {.file = path, .cflags = {.arena = arena}};
    const char *database = request->database ? request->database : database_near(arena, path);
    if (database && compdb_read(&db, arena, database) == 0 &&
        compdb_select(&db, path, &chosen) > 0 &&
        (!chosen.entries[0].directory || chdir(chosen.entries[0].directory) == 0))
        entry = chosen.entries[0];
    for (int i = 0; i < request->cflags.count; ++i)
        arg_list_push(&entry.cflags, request->cflags.items[i]);
    return entry;
}

/* ---- places ---------------------------------------------------------------------------------- */

static bool is_here(const struct answer *a, const struct range *range) {
    return a->c.unit && range->begin.line > 0 && range->begin.file == a->c.unit->main_file;
}

/* What stands elsewhere, or nowhere, is said at the file's begin. */
static json_t *range_here(const struct answer *a, const struct range *range) {
    const struct unit *unit = a->c.unit;
    const struct range none = {0}, place = is_here(a, range) ? diag_place(&unit, *range) : none;
    return lsp_range(a->text->text, &place, a->text->utf8);
}

static const struct source_file *file_at(const struct answer *a, const struct range *range) {
    int file = range->begin.file;
    bool named = a->c.unit && file >= 0 && file < a->c.unit->nfiles && range->begin.line > 0;
    return named ? &a->c.unit->files[file] : NULL;
}

/* NULL where it has no place. */
static json_t *location(const struct answer *a, const struct range *range) {
    const struct source_file *file = file_at(a, range);
    if (is_here(a, range))
        return json_pack("{s:s, s:o}", "uri", a->text->uri, "range", range_here(a, range));
    char *path = file ? realpath(file->name, NULL) : NULL;
    json_t *json = path ? json_pack("{s:o, s:o}", "uri", report_uri(path), "range",
                                    lsp_range(file->text, range, a->text->utf8))
                        : NULL;
    free(path);
    return json;
}

/* ---- diagnostics ----------------------------------------------------------------------------- */

/* LSP's error, warning, information. */
static int severity_of(const struct diag *diag) {
    return diag->severity == SEVERITY_ERROR ? 1 : diag->severity == SEVERITY_WARNING ? 2 : 3;
}

static json_t *notes_of(const struct answer *a, const struct diag *diag) {
    json_t *list = json_array();
    for (int i = 0; i < diag->nnotes; ++i) {
        json_t *where = location(a, &diag->notes[i].range);
        if (where)
            json_array_append_new(list, json_pack("{s:o, s:o}", "location", where, "message",
                                                  report_string(diag->notes[i].message)));
    }
    return list;
}

static const char *words_of(const struct answer *a, const struct diag *diag) {
    const struct source_file *file = file_at(a, &diag->range);
    const char *words = diag->message;
    if (file && !is_here(a, &diag->range))
        words = arena_printf(a->arena, "%s:%d: %s", file->name, diag->range.begin.line, words);
    return diag->fix ? arena_printf(a->arena, "%s\nfix: %s", words, diag->fix) : words;
}

static void add_page(const struct answer *a, json_t *diagnostic, const char *code) {
    const char *page =
        house_library(&a->house, a->arena, arena_printf(a->arena, "messages/%s.md", code));
    if (page[0] == '/' && access(page, R_OK) == 0)
        json_object_set_new(diagnostic, "codeDescription",
                            json_pack("{s:o}", "href", report_uri(page)));
}

static json_t *diagnostic_of(const struct answer *a, const struct diag *diag) {
    json_t *json =
        json_pack("{s:o, s:i, s:s, s:s, s:o, s:o}", "range", range_here(a, &diag->range),
                  "severity", severity_of(diag), "source", "orrery", "code", diag->code, "message",
                  report_string(words_of(a, diag)), "relatedInformation", notes_of(a, diag));
    add_page(a, json, diag->code);
    return json;
}

/* ---- code actions ---------------------------------------------------------------------------- */

/* One edit of one message: all in this file, else NULL. */
static json_t *edits_of(const struct answer *a, const struct diag *diag) {
    json_t *edits = json_array();
    for (int i = 0; i < diag->nedits; ++i) {
        const struct edit *edit = &diag->edits[i];
        if (!is_here(a, &edit->range)) {
            json_decref(edits);
            return NULL;
        }
        json_array_append_new(edits, json_pack("{s:o, s:o}", "range", range_here(a, &edit->range),
                                               "newText", report_string(edit->text)));
    }
    return edits;
}

static const char *title_of(const struct answer *a, const struct diag *diag) {
    const char *what = diag->fix ? diag->fix : diag->message;
    const char *but =
        diag->gives_up ? arena_printf(a->arena, " (gives up: %s)", diag->gives_up) : "";
    return arena_printf(a->arena, "%s%s%s", diag->promises ? "You promise: " : "", what, but);
}

static void add_action(const struct answer *a, const struct diag *diag, json_t *diagnostic) {
    json_t *edits = diag_has_edits(a->c.unit, diag) && !diag->held ? edits_of(a, diag) : NULL;
    if (!edits)
        return;
    json_t *action =
        json_pack("{s:o, s:s, s:[O], s:b, s:{s:{s:o}}}", "title", report_string(title_of(a, diag)),
                  "kind", "quickfix", "diagnostics", diagnostic, "isPreferred",
                  !diag->promises && !diag->gives_up, "edit", "changes", a->text->uri, edits);
    json_array_append_new(
        a->actions,
        json_pack("{s:O, s:o}", "range", json_object_get(diagnostic, "range"), "action", action));
}

/* A message, and the edits of it and of the further reasons that its notes are. */
static void add_message(const struct answer *a, const struct diag *diag) {
    json_t *diagnostic = diagnostic_of(a, diag);
    add_action(a, diag, diagnostic);
    for (int i = 0; i < diag->nnotes; ++i)
        add_action(a, &diag->notes[i], diagnostic);
    json_array_append_new(a->diagnostics, diagnostic);
}

/* ---- hovers ---------------------------------------------------------------------------------- */

/* What `orrery analyze` prints below a verdict, without its indentation. */
static void put_details(const struct answer *a, const struct plan *plan, FILE *out) {
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    report_details(&a->c, plan, memory);
    fclose(memory);
    if (size > 0)
        fputs("\n```text\n", out);
    for (const char *line = text; *line;) {
        size_t length = strcspn(line, "\n");
        size_t blank = strspn(line, " ") < 4 ? strspn(line, " ") : 4;
        fprintf(out, "%.*s\n", (int)(length - blank), line + blank);
        line += length + (line[length] == '\n');
    }
    if (size > 0)
        fputs("```\n", out);
    free(text);
}

static void put_notes(const struct answer *a, const struct diag *diag, FILE *out) {
    for (int i = 0; i < diag->nnotes; ++i) {
        const struct diag *note = &diag->notes[i];
        bool here = is_here(a, &note->range);
        fprintf(out, "%s- %s", i ? "" : "\n", note->message);
        if (here)
            fprintf(out, " (line %d)", note->range.begin.line);
        fprintf(out, "%s%s\n", note->code ? ", " : "", note->code ? note->code : "");
    }
    if (diag->fix)
        fprintf(out, "\nfix: %s\n", diag->fix);
}

static const char *contents_of(const struct answer *a, const struct plan *plan,
                               const struct diag *diag) {
    char *text = NULL;
    size_t size;
    bool serial = plan->strategy == STRATEGY_SERIAL;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "**%s%s** %s: %s\n", serial ? "" : "parallel: ", strategy_name(plan->strategy),
            diag->code, diag->message);
    if (serial)
        put_notes(a, diag, out);
    else
        put_details(a, plan, out);
    fclose(out);
    const char *contents = arena_strdup(a->arena, text);
    free(text);
    return contents;
}

/* From the directive, if there is one, to the end of the loop's header. */
static void add_hover(const struct answer *a, const struct plan *plan, const struct diag *diag) {
    const struct loop *loop = plan->analysis->loop;
    struct range range = loop->header;
    if (!is_here(a, &range))
        return;
    if (loop->pragma && is_here(a, &loop->pragma->range))
        range.begin = loop->pragma->range.begin;
    json_array_append_new(a->hovers,
                          json_pack("{s:o, s:{s:s, s:o}}", "range", range_here(a, &range),
                                    "contents", "kind", "markdown", "value",
                                    report_string(contents_of(a, plan, diag))));
}

/* ---- all of it ------------------------------------------------------------------------------- */

json_t *lsp_answer(struct arena *arena, const struct lsp_request *request,
                   const struct lsp_text *text) {
    struct answer a = {.arena = arena,
                       .text = text,
                       .diagnostics = json_array(),
                       .actions = json_array(),
                       .hovers = json_array()};
    house_find(&a.house, arena);
    struct compdb_entry entry = entry_of(arena, request, text->path);
    struct compdb none = {.arena = arena};
    struct compile_request asked = pipeline_request(arena, &entry, &none);
    asked.file.text = text->text;
    asked.all = request->all;
    asked.neffects = request->effects.count;
    asked.effects = request->effects.items;
    compile_unit(&a.c, arena, &asked);
    for (int i = 0; i < a.c.diags.count; ++i)
        add_message(&a, &a.c.diags.items[i]);
    for (int i = 0; i < a.c.nplans; ++i) {
        struct diag_list list = {.arena = arena};
        const struct diag *diag = report_diag(&a.c, a.c.plans[i], SEVERITY_WARNING, &list);
        add_message(&a, diag);
        add_hover(&a, a.c.plans[i], diag);
    }
    return json_pack("{s:o, s:o, s:o}", "diagnostics", a.diagnostics, "actions", a.actions,
                     "hovers", a.hovers);
}
