#define _GNU_SOURCE
/* Directives -> loops: every directive belongs to the `for` that follows it. */
#include "analyzer/pragma.h"
#include "analyzer/pragma/private.h"

#include <string.h>

/* ---- which names can be seen at a loop */

/* Variables in scope, innermost last; `count` shrinks when a block is left. */
struct scope {
    struct arena *arena;
    int count;
    struct variable **items;
};

static void scope_push(struct scope *scope, struct variable *variable) {
    if (variable->name)
        ARENA_PUSH(scope->arena, scope->items, scope->count, variable);
}

static bool reach(struct scope *scope, const struct stmt *stmt, const struct loop *target);

static bool reach_block(struct scope *scope, const struct stmt *stmt, const struct loop *target) {
    for (int i = 0; i < stmt->nbody; ++i)
        if (reach(scope, stmt->body[i], target))
            return true;
    return false;
}

static bool reach_loop(struct scope *scope, const struct loop *loop, const struct loop *target) {
    if (loop == target)
        return true;
    if (loop->init)
        reach(scope, loop->init, target);
    return reach(scope, loop->body, target);
}

/* Collects what is declared on the way to `target`; true when it lies below `stmt`. */
static bool reach(struct scope *scope, const struct stmt *stmt, const struct loop *target) {
    int before = scope->count;
    if (!stmt)
        return false;
    if (stmt->kind == STMT_DECL) {
        for (int i = 0; i < stmt->nvars; ++i)
            scope_push(scope, stmt->vars[i]);
        return false;
    }
    bool found = stmt->kind == STMT_BLOCK ? reach_block(scope, stmt, target)
                 : stmt->loop
                     ? reach_loop(scope, stmt->loop, target)
                     : reach(scope, stmt->then, target) || reach(scope, stmt->other, target);
    if (!found)
        scope->count = before;
    return found;
}

static struct scope scope_at(struct translator *t, const struct loop *loop) {
    struct scope scope = {.arena = t->arena};
    for (int i = 0; i < t->unit->nglobals; ++i)
        scope_push(&scope, t->unit->globals[i]);
    for (int i = 0; loop->function && i < loop->function->nparams; ++i)
        scope_push(&scope, loop->function->params[i]);
    if (loop->function)
        reach(&scope, loop->function->body, loop);
    return scope;
}

/* ---- names in clauses */

static bool is_known(const char *name, const char *const *known, int count) {
    for (int i = 0; i < count; ++i)
        if (strcmp(known[i], name) == 0)
            return true;
    return false;
}

static void name_check(struct translator *t, const struct clause *clause, const char *text,
                       const char *what, const char *const *known, int count) {
    const char *name = arena_strndup(t->arena, text, strcspn(text, ".- \t"));
    if (is_known(name, known, count))
        return;
    const char *nearest = diag_nearest(name, known, count);
    struct diag *diag = diag_add(
        t->diags, SEVERITY_ERROR, ORR9106, clause->range, "no %s '%s' is in scope at this loop%s",
        what, name, nearest ? arena_printf(t->arena, "; did you mean '%s'?", nearest) : "");
    diag->fix = "name what the loop uses and what is declared in front of it";
}

/* Names [first, end) of the clause that must be variables; and one that must be a function. */
static void names_wanted(const struct clause *clause, int *first, int *end, int *function) {
    *first = *end = 0;
    *function = -1;
    if (clause->kind == CLAUSE_RELAX || clause->kind == CLAUSE_HOT) {
        *end = clause->nnames;
    } else if (clause->kind == CLAUSE_BUFFER) {
        *end = 1;
        *function = 1;
    } else if (clause->kind == CLAUSE_EXTENT) {
        *end = 1;
    } else if (clause->kind == CLAUSE_REDUCTION) {
        *first = 1;
        *end = clause->nnames;
    } else if (clause->kind == CLAUSE_ASSUME && strcmp(clause->names[0], "pure") == 0) {
        *function = 1;
    } else if (clause->kind == CLAUSE_ASSUME && strcmp(clause->names[0], "range") != 0) {
        *first = 1;
        *end = clause->nnames;
    }
}

static void names_check(struct translator *t, const struct loop *loop, struct pragma *pragma) {
    struct scope scope = scope_at(t, loop);
    pragma->nscope = scope.count;
    pragma->scope = scope.items;
    const char **variables = NULL, **functions = NULL;
    int nvariables = 0, nfunctions = 0, first, end, function;
    for (int i = 0; i < scope.count; ++i)
        ARENA_PUSH(t->arena, variables, nvariables, scope.items[i]->name);
    for (int i = 0; i < t->unit->nfunctions; ++i)
        ARENA_PUSH(t->arena, functions, nfunctions, t->unit->functions[i]->name);
    for (int i = 0; i < pragma->nclauses; ++i) {
        const struct clause *clause = &pragma->clauses[i];
        names_wanted(clause, &first, &end, &function);
        for (int n = first; n < end; ++n)
            name_check(t, clause, clause->names[n], "variable", variables, nvariables);
        if (function >= 0)
            name_check(t, clause, clause->names[function], "function", functions, nfunctions);
    }
}

/* ---- binding */

/* The end of the expansion that begins at `offset` of the main file; else one past `offset`. */
static unsigned expansion_end(const struct unit *unit, unsigned offset) {
    for (int i = 0; i < unit->nexpansions; ++i)
        if (unit->expansions[i].begin == offset)
            return unit->expansions[i].end;
    return offset + 1;
}

/*
 * The outermost loop that begins at the token behind the directive (`for`, or a macro's name), or
 * the first one that a macro's use there brings.
 */
static struct loop *loop_after(struct translator *t, const struct directive *directive) {
    const struct unit *unit = t->unit;
    bool main_file = directive->file == unit->main_file;
    unsigned end = main_file ? expansion_end(unit, directive->next) : directive->next + 1;
    for (int i = 0; directive->has_next && i < unit->nloops; ++i) {
        const struct loc *begin = &unit->loops[i]->stmt->range.begin;
        if (begin->file == directive->file && begin->offset >= directive->next &&
            begin->offset < end && !(end > directive->next + 1 && loop_is_once(unit->loops[i])))
            return unit->loops[i];
    }
    return NULL;
}

static void report_lonely(struct translator *t, const struct directive *directive) {
    const char *text = parse_place_text(t, directive->file);
    struct diag *diag = diag_add(t->diags, SEVERITY_ERROR, ORR9101, directive->range,
                                 "this directive is not followed by a loop");
    diag->fix = "put it directly in front of the loop that it is meant for";
    if (directive->has_next)
        diag_note(t->diags, diag,
                  pragma_range(t, directive->file, directive->next, directive->next_end),
                  "what follows is '%.*s'", (int)(directive->next_end - directive->next),
                  text + directive->next);
}

static void report_second(struct translator *t, const struct directive *directive,
                          const struct loop *loop) {
    struct diag *diag = diag_add(t->diags, SEVERITY_ERROR, ORR9109, directive->range,
                                 "this loop already has a directive");
    diag->fix = "put all clauses into one directive";
    diag_note(t->diags, diag, loop->pragma->range, "the first one is here");
}

/* Without trust in the C text a missing loop says nothing: that error was reported already. */
static void bind(struct translator *t, const struct directive *directive, bool trusted) {
    struct pragma *pragma = pragma_read(t, directive);
    struct loop *loop = loop_after(t, directive);
    if (!loop) {
        if (trusted)
            report_lonely(t, directive);
    } else if (loop->pragma) {
        report_second(t, directive, loop);
    } else if (pragma) {
        loop->pragma = pragma;
        names_check(t, loop, pragma);
    }
}

/* The cheap test: the text of a file has one of our words in it. */
static bool mentions(struct translator *t, int file) {
    const struct source_file *source = door_file(t->door, file);
    return memmem(source->text, source->size, "orrery", strlen("orrery")) ||
           memmem(source->text, source->size, "ORRERY", strlen("ORRERY"));
}

/* Macros may name each other in any order, and in any file. */
static struct markers find_markers(struct translator *t, int nfiles) {
    struct markers markers = {0};
    int before = 0;
    for (bool all = false; !all || markers.count > before; all = true) {
        before = markers.count;
        for (int file = 0; file < nfiles; ++file)
            if (!door_file_is_system(t->door, file) && (all || mentions(t, file)))
                pragma_scan_markers(t, file, &markers);
        if (!markers.count)
            break;
    }
    return markers;
}

void pragma_bind(struct translator *t) {
    bool trusted = t->diags->nerrors == 0;
    int nfiles = door_load_includes(t->door);
    struct markers markers = find_markers(t, nfiles);
    for (int file = 0; file < nfiles; ++file) {
        struct directive *directives;
        if (door_file_is_system(t->door, file) || (!markers.count && !mentions(t, file)))
            continue;
        int count = pragma_scan(t, file, &markers, &directives);
        t->unit->has_marks |= count > 0 || t->nmarks > 0;
        for (int i = 0; i < count; ++i)
            bind(t, &directives[i], trusted);
    }
}

bool loop_is_marked(const struct loop *loop) {
    return loop->pragma && loop->pragma->kind == PRAGMA_PARALLEL;
}
