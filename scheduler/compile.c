/*
 * The list of steps: what is done to a C text, in its order. Read this first.
 *
 *   text -> IR -> accesses and facts -> dependences -> candidates -> cost -> proof -> plan -> text
 */
#include "scheduler/compile.h"

#include "analyzer/parse/flags.h"
#include "analyzer/parse/language.h"
#include "scheduler/emit/emit.h"
#include "scheduler/others.h"

/* ---- text -> IR ------------------------------------------------------------------------------ */

static bool is_foreign(const struct compile_file *file, struct diag_list *diags) {
    const struct range nowhere = {.begin.file = -1, .end.file = -1};
    const char *language = language_foreign(file->name, file->nflags, file->flags);
    if (!language)
        return false;
    struct diag *diag = diag_add(diags, SEVERITY_ERROR, ORR9003, nowhere,
                                 "'%s' is %s, which is not read: only C is", file->name, language);
    diag->fix = "move the loops into a .c file that the others call; -x c says that it is C after "
                "all";
    return true;
}

struct unit *compile_parse(struct arena *arena, const struct compile_file *file,
                           const char *include, struct diag_list *diags) {
    struct parse_options options = {.file = file->name, .text = file->text};
    if (is_foreign(file, diags))
        return NULL;
    options.nargs =
        parse_flags(arena, include, file->nflags, file->flags, (const char ***)&options.args);
    return parse_unit(arena, &options, diags);
}

/* ---- all steps ------------------------------------------------------------------------------- */

void compile_unit(struct compilation *c, struct arena *arena,
                  const struct compile_request *request) {
    *c = (struct compilation){.arena = arena, .diags = {.arena = arena}};
    c->unit = compile_parse(arena, &request->file, request->include, &c->diags);
    if (!c->unit || c->diags.nerrors > 0)
        return;
    others_join(c->unit, request);
    compile_loops(c, request);
    emit_settle_served(c->unit, c->nplans, c->plans);
    if (request->plan_file)
        plan_file_read(request->plan_file, c->unit, c->nplans, c->plans, &c->diags);
    for (int i = 0; i < c->nplans; ++i)
        plan_target(c->plans[i], request->gpu);
    emit_settle(c->unit, c->nplans, c->plans);
    compile_find_outermost(c);
}
