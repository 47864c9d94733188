/*
 * Words that the emitted functions say and the loop's function does not: members of the runtime's
 * structs, members of our own, and names of the user's that expressions and types bring. A macro of
 * that name would change them, which is decided here, before anything is printed.
 */
#include "scheduler/outline/collect.h"
#include "scheduler/outline/make.h"

#include <stdint.h>
#include <string.h>

/* ---- members of the runtime's structs -------------------------------------------------------- */

static bool always(const struct outline *job) {
    return job != NULL;
}

static bool has_arrays(const struct outline *job) {
    return job->narrays > 0 || job->nreductions > 0;
}

static bool has_reductions(const struct outline *job) {
    return job->nreductions > 0;
}

static bool has_merged(const struct outline *job) {
    for (int j = 0; j < job->nreductions; ++j)
        if (job->reductions[j].merged)
            return true;
    return false;
}

static bool has_argmin(const struct outline *job) {
    for (int j = 0; j < job->nreductions; ++j)
        if (emit_is_argmin(job, j))
            return true;
    return false;
}

static bool is_by_key(const struct outline *job) {
    return job->plan->by_key;
}

static bool is_listed(const struct outline *job) {
    return plan_is_listed(job->plan) || plan_serves(job->plan);
}

static bool is_pipe(const struct outline *job) {
    return job->plan->pipe != NULL;
}

static bool is_device(const struct outline *job) {
    return job->kernel_name != NULL;
}

static bool has_addresses(const struct outline *job) {
    unsigned long arrays;
    return emit_addresses(job) || emit_compared(job, &arrays) || facts_unplaced(job->facts);
}

static bool has_guards(const struct outline *job) {
    return job->facts->nguards > 0;
}

static bool has_globals(const struct outline *job) {
    return job->facts->nglobals > 0 || job->napplied > 0;
}

static bool has_inputs(const struct outline *job) {
    return job->nfields > 0 || outline_has_inputs(job);
}

/*
 * What is printed where a loop `has` it, each word between blanks; `(` behind those that are
 * called. More than a loop's text says is harmless: a macro of that name is refused.
 */
struct word_group {
    bool (*has)(const struct outline *job);
    const char *words;
};

static const struct word_group groups[] = {
    {always,
     " abi file line function strategy by_key unordered seed env_size ndims nkeys keys grid "
     "nspans contraction allow_fallback relabel_ok shapes block serial lower_offset step "
     "env begin end order "},
    {has_arrays,
     " narrays arrays base extent reach said in_front inner inner_at inner_step pieces piece_bytes "
     "piece_stride row_offset row_stride table table_offset table_step tables "},
    {has_reductions, " nreductions reductions accumulators "},
    {has_merged, " nmergings is_far mergings marks snapshots sync_iterations sync_steps "},
    {has_argmin, " took worth clock "},
    {is_by_key, " record_size records nkey_fields key_fields gather gathers spans direct "},
    {is_listed, " ntouched touched touches units served "},
    {emit_has_hot, " hot hot_fields nhot_fields "},
    {emit_is_wave, " reach height width from to "},
    {emit_has_sections, " sections row( part( bent( all( "},
    {is_pipe, " slots slot_size stages homes delayed stage_costs nlate late row "},
    {is_device, " kernel kernel_layout "},
    {has_addresses, " addresses compared compared_arrays unplaced "},
    {has_guards, " nguards guards "},
    {has_globals, " nglobals globals "},
    {has_inputs, " ninputs inputs nsteady steady "},
    {emit_has_key_ranges, " holds_at "},
    {emit_has_intervals, " intervals spans set add( "},
    {emit_has_weights, " weigh "},
    {emit_reruns, " reruns "},
};

/* ---- going through them ---------------------------------------------------------------------- */

enum { TYPES = 512 };

/* Who is told each name. `seen`: by id, functions that were gone through. `types`: some of those that
 * were, each where its address puts it. */
struct names {
    const struct outline *job;
    outline_word *each;
    void *data;
    bool *seen;
    const struct type *types[TYPES];
};

static void say(struct names *names, const char *name, enum word_kind kind) {
    if (name)
        names->each(names->data, (struct word){name, kind, false});
}

static void group_say(struct names *names, const char *words) {
    for (const char *at = words + strspn(words, " "); *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " (");
        const char *name = arena_strndup(names->job->arena, at, length);
        at += length;
        names->each(names->data, (struct word){name, WORD_OURS, *at == '('});
        at += *at == '(';
    }
}

/* What the type is called, in clang's words and in the user's. */
static void spelling_say(struct names *names, const char *spelling) {
    struct token_scan scan = token_scan_start(spelling, 0, strlen(spelling));
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (t.kind == TOKEN_NAME)
            say(names, arena_strndup(names->job->arena, spelling + t.begin, t.end - t.begin),
                WORD_TYPE);
}

static void type_say(struct names *names, const struct type *type) {
    size_t at = ((uintptr_t)type >> 4) % TYPES;
    if (!type || names->types[at] == type)
        return;
    names->types[at] = type;
    if (type->spelling)
        spelling_say(names, type->spelling);
    if (type->local_name)
        spelling_say(names, type->local_name);
}

static void variable_say(struct names *names, const struct variable *var) {
    say(names, var->name, WORD_NAME);
    type_say(names, var->type);
}

static void function_say(struct names *names, const struct function *function);

static void expr_say(void *data, struct expr *e, struct expr *parent) {
    struct names *names = data;
    (void)parent;
    type_say(names, e->type);
    if (e->kind == EXPR_VAR)
        variable_say(names, e->var);
    if (e->kind == EXPR_MEMBER && e->field)
        say(names, e->field->name, WORD_MEMBER);
    if (!e->function)
        return;
    names->each(names->data, (struct word){e->function->name, WORD_NAME, true});
    function_say(names, e->function);
}

static void stmt_say(void *data, struct stmt *stmt) {
    for (int i = 0; i < stmt->nvars; ++i)
        variable_say(data, stmt->vars[i]);
}

static void function_say(struct names *names, const struct function *function) {
    if (function->id >= names->job->unit->nfunctions || names->seen[function->id])
        return;
    names->seen[function->id] = true;
    for (int i = 0; i < function->nparams; ++i)
        variable_say(names, function->params[i]);
    type_say(names, function->result);
    emit_walk_stmts(function->body, stmt_say, names);
    emit_walk_stmt(function->body, expr_say, names);
}

/* Members of the structs that are declared for this loop. */
static void members_say(struct names *names) {
    const struct outline *job = names->job;
    for (int i = 0; i < job->nfields; ++i)
        say(names, job->fields[i].name, WORD_OURS);
    for (int i = 0; i < job->nslots; ++i)
        say(names, job->slots[i].name, WORD_OURS);
    if (job->record_index)
        say(names, "i", WORD_OURS);
    for (int j = 0; j < job->nreductions; ++j) {
        const struct argmin *argmin = emit_argmin_of(job, j);
        for (int m = 0; argmin && m < argmin->nmembers; ++m)
            say(names, arena_printf(job->arena, "m%d", m), WORD_OURS);
    }
}

/* The user's function that takes what was collected, and what it reads besides. */
static void merged_say(struct names *names, int j) {
    const struct emit_reduction *made = &names->job->reductions[j];
    const struct reduction *r = emit_merged_at(names->job, j);
    if (r && r->apply) {
        names->each(names->data, (struct word){r->apply->name, WORD_NAME, true});
        function_say(names, r->apply);
    }
    for (int i = 0; i < made->nbesides; ++i)
        variable_say(names, made->besides[i]);
}

void outline_words_each(const struct outline *job, outline_word *each, void *data) {
    size_t nfunctions = (size_t)job->unit->nfunctions + 1;
    struct names names = {.job = job, .each = each, .data = data};
    names.seen = arena_alloc(job->arena, nfunctions * sizeof *names.seen);
    memset(names.seen, 0, nfunctions * sizeof *names.seen);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; ++i)
        if (groups[i].has(job))
            group_say(&names, groups[i].words);
    members_say(&names);
    function_say(&names, job->loop->function);
    for (int i = 0; i < job->facts->nglobals; ++i)
        variable_say(&names, job->facts->globals[i].var);
    for (int i = 0; i < job->napplied; ++i)
        variable_say(&names, job->applied[i]);
    for (int j = 0; j < job->nreductions; ++j)
        merged_say(&names, j);
}

/* ---- refusing -------------------------------------------------------------------------------- */

enum { LETTERS = 64, LENGTHS = 64 };

/* `some`: is there a macro of that first letter and length? `own`: the function's text. */
struct word_look {
    struct outline *job;
    const bool *some;
    const char *own;
};

static int slot_of(const char *name) {
    return ((unsigned char)*name % LETTERS) * LENGTHS + (int)(strlen(name) % LENGTHS);
}

static bool says(const char *text, const char *word) {
    struct token_scan scan = token_scan_start(text, 0, strlen(text));
    for (struct token t = token_next(&scan); t.kind != TOKEN_END; t = token_next(&scan))
        if (t.kind == TOKEN_NAME && token_spells(&scan, t, word))
            return true;
    return false;
}

/* Words of C, which programs define for compilers that lack them, and under conditions that are not
 * looked at here. */
static bool is_of_c(const char *word) {
    static const char *const words[] = {
        "auto",    "bool",   "break",    "case",   "char",     "const",  "continue", "default",
        "do",      "double", "else",     "enum",   "extern",   "false",  "float",    "for",
        "goto",    "if",     "inline",   "int",    "long",     "NULL",   "register", "restrict",
        "return",  "short",  "signed",   "sizeof", "static",   "struct", "switch",   "true",
        "typedef", "union",  "unsigned", "void",   "volatile", "while"};
    bool found = strncmp(word, "__", 2) == 0;
    for (size_t i = 0; !found && i < sizeof words / sizeof *words; ++i)
        found = strcmp(word, words[i]) == 0;
    return found;
}

/* The macro stands in the user's text for what is said with its name: the text is copied. A
 * variable may yet have come out of a macro of its own name. */
static bool is_copied(const struct word_look *look, struct word word,
                      const struct macro_place *macro) {
    bool brings_itself = word.kind == WORD_NAME && says(macro->text, word.name);
    return word.kind != WORD_OURS && !brings_itself && says(look->own, word.name);
}

static void word_look(void *data, struct word word) {
    const struct word_look *look = data;
    struct outline *job = look->job;
    if (job->refused || !look->some[slot_of(word.name)])
        return;
    const struct macro_place *macro = emit_macro(job, word.name);
    if (!macro || is_of_c(word.name) || strcmp(macro->text, word.name) == 0 ||
        (macro->has_parameters && !word.called) || is_copied(look, word, macro))
        return;
    emit_refuse(job, ORR2290, job->loop->header,
                "the loop stays serial: the macro `%s` has the name of something that stands in "
                "the text which is emitted for it",
                word.name);
    emit_refuse_fix(job, arena_printf(job->arena,
                                      "give the macro another name than `%s`, or define it behind "
                                      "the loop's function",
                                      word.name));
}

void outline_words(struct outline *job) {
    const struct unit *unit = job->unit;
    const struct range *function = &job->loop->function->range;
    bool *some = arena_alloc(job->arena, LETTERS * LENGTHS);
    outline_macros(job);
    if (unit->nmacros == 0)
        return;
    memset(some, 0, LETTERS * LENGTHS);
    for (int i = 0; i < unit->nmacros; ++i)
        some[slot_of(unit->macros[i].name)] = true;
    struct word_look look = {.job = job, .some = some};
    look.own = arena_strndup(job->arena, job->source + function->begin.offset,
                             function->end.offset - function->begin.offset);
    outline_words_each(job, word_look, &look);
}
