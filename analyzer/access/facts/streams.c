/* Loads that can be gathered per iteration, and where in the text they stand. */
#include "analyzer/access/access.h"

static struct symbol *symbol_of_site(const struct trace *t, const struct site *site) {
    return site->sym >= 0 ? access_symbol_of(t, t->syms->items[site->sym]) : NULL;
}

static bool uses_symbol(const struct located *place, const struct symbol *symbol) {
    for (int d = 0; symbol && d < place->nsubs; ++d) {
        for (int i = 0; place->subs[d].known && i < place->subs[d].value.nterms; ++i)
            if (place->subs[d].value.terms[i].symbol == symbol)
                return true;
    }
    return false;
}

/* A place of the text as it stands here, where variables that hold a key are looked through. */
struct place {
    const struct site *site;
    int nrows, *rows; /* the references that it leads to */
    bool value_used;  /* its value goes somewhere else, too */
    bool dropped;     /* a use of a variable whose initializer is the place */
};

/* All that hangs on this place are rows chosen by its key. */
static bool only_rows(const struct trace *t, const struct place *place) {
    const struct symbol *symbol = symbol_of_site(t, place->site);
    for (int i = 0; i < place->nrows; ++i)
        if (!uses_symbol(located(t, &t->refs[place->rows[i]]), symbol))
            return false;
    return symbol && place->nrows > 0 && !place->value_used;
}

static bool any_row(const struct trace *t, const struct place *place) {
    const struct symbol *symbol = symbol_of_site(t, place->site);
    for (int i = 0; i < place->nrows; ++i)
        if (uses_symbol(located(t, &t->refs[place->rows[i]]), symbol))
            return true;
    return false;
}

/* ---- variables that hold a key --------------------------------------------------------------- */

static struct place *places_of(const struct trace *t) {
    struct place *places = arena_alloc(t->arena, (size_t)(t->nsites + 1) * sizeof *places);
    for (int i = 0; i < t->nsites; ++i) {
        const struct site *site = &t->sites[i];
        places[i] = (struct place){.site = site, .value_used = site->value_used};
        for (int r = 0; r < site->nrows; ++r)
            ARENA_PUSH(t->arena, places[i].rows, places[i].nrows, site->rows[r]);
    }
    return places;
}

static bool same_variable(const struct site *a, const struct site *b) {
    return a->nparents > 0 && a->parents == b->parents;
}

/* What the variable holds is used behind the loop. */
static bool is_used_behind(const struct trace *t, const struct expr *use) {
    for (int i = 0; use->kind == EXPR_VAR && i < t->facts->nprivates; ++i)
        if (t->facts->privates[i].var == use->var)
            return t->facts->privates[i].last_value;
    return false;
}

static bool can_move_to_origin(const struct trace *t, const struct place *places,
                               const struct site *use) {
    if (is_used_behind(t, use->expr))
        return false;
    for (int i = 0; i < t->nsites; ++i) {
        const struct site *other = &t->sites[i];
        if (same_variable(other, use) && (!only_rows(t, &places[i]) || other->sym != use->sym))
            return false;
    }
    for (int i = 0; i < use->nparents; ++i) {
        const struct place *parent = &places[use->parents[i]];
        if (parent->site->level >= 0 && (parent->site->sym != use->sym || parent->value_used))
            return false;
    }
    return true;
}

static void move_to_origin(const struct trace *t, struct place *places, const struct site *use) {
    for (int i = 0; i < t->nsites; ++i) {
        struct place *other = &places[i];
        if (!same_variable(other->site, use))
            continue;
        other->dropped = true;
        for (int p = 0; p < use->nparents; ++p) {
            struct place *parent = &places[use->parents[p]];
            for (int r = 0; r < other->nrows && parent->site->level >= 0; ++r)
                ARENA_PUSH(t->arena, parent->rows, parent->nrows, other->rows[r]);
        }
    }
}

/* A variable used as nothing but a row index: its initializer is the place, else each use is. */
static void resolve_variables(const struct trace *t, struct place *places) {
    for (int i = t->nsites - 1; i >= 0; --i) {
        const struct site *use = &t->sites[i];
        bool first = use->nparents > 0;
        for (int j = 0; j < i && first; ++j)
            first = !same_variable(&t->sites[j], use);
        if (!first)
            continue;
        if (can_move_to_origin(t, places, use)) {
            move_to_origin(t, places, use);
            continue;
        }
        for (int p = 0; p < use->nparents; ++p)
            places[use->parents[p]].value_used = true;
    }
}

/* ---- places in the text ---------------------------------------------------------------------- */

static bool same_range(const struct range *a, const struct range *b) {
    return range_holds(a, b) && range_holds(b, a);
}

static bool is_setting(const void *data, const struct expr *e) {
    (void)data;
    return e->kind == EXPR_ASSIGN || e->kind == EXPR_INCREMENT;
}

static bool is_value(const struct place *place) {
    const struct site *site = place->site;
    return !site->in_callee && !expr_any(site->expr, is_setting, NULL) && !place->dropped &&
           site->expr->range.exact && site->pure;
}

static bool is_replaceable(const struct place *place) {
    return is_value(place) && place->site->level == 0;
}

/*
 * The conditions under which a value is evaluated. Where some of them cannot be told before the
 * loop runs, all that it reads has to be read under conditions that can: `known`.
 */
struct gathered {
    bool known;
    int nguards;
    struct expr **guards;
    const bool *sense;
};

static bool same_when(const struct expr *a, const struct expr *b) {
    return a == b || (a && b && expr_equal(a, b));
}

static struct gathered read_anyway(const struct trace *t, const struct site *site) {
    static const bool holds[] = {true};
    struct gathered g = {.known = site->ndeps > 0, .sense = holds};
    struct expr *when = g.known ? t->refs[site->deps[0]].when : NULL;
    for (int i = 0; i < site->ndeps; ++i) {
        const struct ref *ref = &t->refs[site->deps[i]];
        g.known = g.known && !ref->sometimes && same_when(ref->when, when);
    }
    if (when)
        ARENA_PUSH(t->arena, g.guards, g.nguards, when);
    return g;
}

static struct gathered gathered_of(const struct trace *t, const struct site *site) {
    if (site->impure_guard)
        return read_anyway(t, site);
    return (struct gathered){true, site->nguards, site->guards, site->sense};
}

enum role { ROLE_NONE, ROLE_KEY, ROLE_LOAD };

static enum role role_of(const struct trace *t, const struct place *place) {
    const struct site *site = place->site;
    if (!is_replaceable(place))
        return ROLE_NONE;
    if (only_rows(t, place) && !t->syms->items[site->sym]->on_inner)
        return ROLE_KEY;
    return site->is_load && !any_row(t, place) && gathered_of(t, site).known ? ROLE_LOAD
                                                                             : ROLE_NONE;
}

/* The place is inside of a larger one that is replaced as a whole, or is there twice. */
static bool is_covered(const struct trace *t, const enum role *roles, int i) {
    const struct range *range = &t->sites[i].expr->range;
    for (int j = 0; j < t->nsites; ++j) {
        const struct range *other = &t->sites[j].expr->range;
        if (j != i && roles[j] != ROLE_NONE && range_holds(other, range) &&
            (!same_range(other, range) || j < i)) {
            return true;
        }
    }
    return false;
}

/* Two interpretations over one text (a loop inside, a function's argument) must agree on its
 * role. */
static void settle_twins(const struct trace *t, const struct place *places, enum role *roles) {
    for (int i = 0; i < t->nsites; ++i) {
        for (int j = 0; j < t->nsites; ++j) {
            const struct site *a = &t->sites[i], *b = &t->sites[j];
            if (i != j && !a->in_callee && !b->in_callee && !places[i].dropped &&
                !places[j].dropped && same_range(&a->expr->range, &b->expr->range) &&
                (roles[i] != roles[j] || a->sym != b->sym || a->constant != b->constant)) {
                roles[i] = roles[j] = ROLE_NONE;
            }
        }
    }
}

static void add_unreplaceable(const struct trace *t, struct symbol *symbol) {
    struct loop_facts *facts = t->facts;
    for (int i = 0; i < facts->nunreplaceable_keys; ++i)
        if (facts->unreplaceable_keys[i] == symbol)
            return;
    ARENA_PUSH(t->arena, facts->unreplaceable_keys, facts->nunreplaceable_keys, symbol);
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Where `stream` is gathered the value is, too: all of its conditions are among these, in front. */
static bool is_wider(const struct stream_load *stream, const struct gathered *g) {
    bool wider = stream->nguards <= g->nguards;
    for (int i = 0; wider && i < stream->nguards; ++i)
        wider = stream->sense[i] == g->sense[i] && expr_equal(stream->guards[i], g->guards[i]);
    return wider;
}

/* One field serves both places, gathered under the conditions of the one that has fewer. */
static bool join_guards(struct stream_load *old, const struct stream_load *stream) {
    struct gathered g = {true, old->nguards, old->guards, old->sense};
    struct gathered own = {true, stream->nguards, stream->guards, stream->sense};
    if (is_wider(stream, &g)) {
        old->nguards = stream->nguards;
        old->guards = stream->guards;
        old->sense = stream->sense;
        return true;
    }
    return is_wider(old, &own);
}

static bool join_stream(const struct trace *t, const struct stream_load *stream) {
    struct loop_facts *facts = t->facts;
    for (int i = 0; i < facts->nstreams; ++i) {
        struct stream_load *old = &facts->streams[i];
        if (old->key == stream->key && old->key_constant == stream->key_constant &&
            old->type->size == stream->type->size && old->type->kind == stream->type->kind &&
            old->type->is_signed == stream->type->is_signed &&
            expr_equal(old->expr, stream->expr) && join_guards(old, stream)) {
            ARENA_PUSH(t->arena, old->sites, old->nsites, stream->sites[0]);
            return true;
        }
    }
    return false;
}

static struct stream_load stream_of(const struct trace *t, const struct site *site, bool is_key) {
    struct symbol *key = is_key ? symbol_of_site(t, site) : NULL;
    struct gathered own = gathered_of(t, site);
    struct stream_load stream = {.expr = site->pure,
                                 .type = site->type,
                                 .key = key,
                                 .key_constant = key ? site->constant : 0,
                                 .nguards = key ? key->nguards : own.nguards,
                                 .guards = key ? key->guards : own.guards,
                                 .sense = key ? key->sense : own.sense};
    ARENA_PUSH(t->arena, stream.sites, stream.nsites, site->expr->range);
    return stream;
}

static void add_stream(const struct trace *t, const struct site *site, enum role role) {
    struct stream_load stream = stream_of(t, site, role == ROLE_KEY);
    if (!join_stream(t, &stream))
        ARENA_PUSH(t->arena, t->facts->streams, t->facts->nstreams, stream);
}

/* ---- keys of the rounds of a loop inside ------------------------------------------------------- */

/* The place names the loop's variable itself: what replaces it may do so, too. */
static bool is_round_key(const struct trace *t, const struct place *place) {
    const struct site *site = place->site;
    return is_value(place) && site->level > 0 && only_rows(t, place) && site->constant == 0 &&
           t->syms->items[site->sym]->on_inner &&
           expr_names(site->expr, t->inner[site->level].loop->variable);
}

/* Two interpretations over one text, of which the other one is no such key. */
static bool has_twin(const struct trace *t, int i) {
    for (int j = 0; j < t->nsites; ++j) {
        const struct site *a = &t->sites[i], *b = &t->sites[j];
        if (i != j && same_range(&a->expr->range, &b->expr->range))
            return true;
    }
    return false;
}

static void add_round_key(const struct trace *t, const struct site *site) {
    struct loop_facts *facts = t->facts;
    struct round_key key = {stream_of(t, site, true), site->level};
    for (int i = 0; i < facts->nround_keys; ++i) {
        struct round_key *old = &facts->round_keys[i];
        if (old->load.key == key.load.key && old->inner == key.inner &&
            old->load.type->kind == key.load.type->kind &&
            old->load.type->size == key.load.type->size &&
            old->load.type->is_signed == key.load.type->is_signed) {
            ARENA_PUSH(t->arena, old->load.sites, old->load.nsites, key.load.sites[0]);
            return;
        }
    }
    ARENA_PUSH(t->arena, facts->round_keys, facts->nround_keys, key);
}

static bool is_row_of(const struct place *place, int ref);

/* Some key of a round leads to this access by `symbol`. */
static bool round_key_leads(const struct trace *t, const struct place *places, int ref,
                            const struct symbol *symbol) {
    for (int i = 0; i < t->nsites; ++i)
        if (is_round_key(t, &places[i]) && !has_twin(t, i) && is_row_of(&places[i], ref) &&
            symbol_of_site(t, &t->sites[i]) == symbol)
            return true;
    return false;
}

static void add_scattered(const struct trace *t, struct symbol *symbol) {
    for (int i = 0; i < t->facts->nscattered_keys; ++i)
        if (t->facts->scattered_keys[i] == symbol)
            return;
    ARENA_PUSH(t->arena, t->facts->scattered_keys, t->facts->nscattered_keys, symbol);
}

static void scattered_collect(const struct trace *t, const struct place *places, int ref) {
    const struct located *at = located(t, &t->refs[ref]);
    for (int d = 0; d < at->nsubs; ++d)
        for (int i = 0; at->subs[d].known && i < at->subs[d].value.nterms; ++i) {
            struct symbol *symbol = at->subs[d].value.terms[i].symbol;
            if (symbol->kind == SYMBOL_KEY && symbol->inner &&
                !round_key_leads(t, places, ref, symbol))
                add_scattered(t, symbol);
        }
}

static void round_keys_collect(const struct trace *t, const struct place *places) {
    for (int i = 0; i < t->nsites; ++i)
        if (is_round_key(t, &places[i]) && !has_twin(t, i))
            add_round_key(t, &t->sites[i]);
    for (int r = 0; r < t->nrefs; ++r)
        scattered_collect(t, places, r);
}

/* ---- what remains of the loop's variable ----------------------------------------------------- */

static void see_index(void *data, struct expr *e) {
    struct loop_facts *facts = data;
    if (e->kind != EXPR_VAR || e->var != facts->loop->variable)
        return;
    for (int i = 0; i < facts->nstreams; ++i) {
        for (int j = 0; j < facts->streams[i].nsites; ++j)
            if (range_holds(&facts->streams[i].sites[j], &e->range))
                return;
    }
    facts->uses_index = true;
}

/* An operand that nothing evaluates has its name, too. */
static bool operand_has_index(const struct loop *loop) {
    const struct function *function = loop->function;
    for (int i = 0; function && i < function->noperands; ++i)
        if (function->operands[i].var == loop->variable &&
            range_holds_start(&loop->body->range, &function->operands[i].range))
            return true;
    return false;
}

static bool site_is_inside(const struct trace *t, const enum role *roles, int i) {
    for (int j = 0; j < t->nsites; ++j) {
        if (j != i && roles[j] != ROLE_NONE &&
            range_holds(&t->sites[j].expr->range, &t->sites[i].expr->range) &&
            !same_range(&t->sites[j].expr->range, &t->sites[i].expr->range)) {
            return true;
        }
    }
    return false;
}

static bool is_row_of(const struct place *place, int ref) {
    for (int i = 0; i < place->nrows; ++i)
        if (place->rows[i] == ref)
            return true;
    return false;
}

/* Is what the text has for `symbol` in the address
 * of this access replaced, or all of the access? */
static bool row_is_replaced(const struct trace *t, const struct place *places,
                            const enum role *roles, int ref, const struct symbol *symbol) {
    for (int i = 0; i < t->nsites; ++i) {
        const struct site *site = &t->sites[i];
        bool key = roles[i] == ROLE_KEY && !places[i].dropped && symbol_of_site(t, site) == symbol;
        bool whole = roles[i] == ROLE_LOAD && range_holds(&site->expr->range, &t->refs[ref].range);
        if (whole || (key && is_row_of(&places[i], ref)))
            return true;
    }
    return false;
}

/*
 * Keys by which an access is addressed that no replaced place of the text is known to lead to: a
 * pointer that went away from it, say.
 */
static void keys_without_place(const struct trace *t, const struct place *places,
                               const enum role *roles) {
    for (int r = 0; r < t->nrefs; ++r) {
        const struct located *at = located(t, &t->refs[r]);
        for (int d = 0; d < at->nsubs; ++d) {
            for (int i = 0; at->subs[d].known && i < at->subs[d].value.nterms; ++i) {
                struct symbol *symbol = at->subs[d].value.terms[i].symbol;
                if (symbol->kind == SYMBOL_KEY && !symbol->inner &&
                    !row_is_replaced(t, places, roles, r, symbol)) {
                    add_unreplaceable(t, symbol);
                }
            }
        }
    }
}

void streams_collect(const struct trace *t) {
    struct place *places = places_of(t);
    resolve_variables(t, places);
    enum role *roles = arena_alloc(t->arena, (size_t)(t->nsites + 1) * sizeof *roles);
    for (int i = 0; i < t->nsites; ++i)
        roles[i] = role_of(t, &places[i]);
    settle_twins(t, places, roles);
    for (int i = 0; i < t->nsites; ++i) {
        if (roles[i] != ROLE_NONE && !is_covered(t, roles, i)) {
            add_stream(t, &t->sites[i], roles[i]);
        } else if (roles[i] == ROLE_NONE && !places[i].dropped && any_row(t, &places[i]) &&
                   !site_is_inside(t, roles, i)) {
            add_unreplaceable(t, symbol_of_site(t, &t->sites[i]));
        }
    }
    round_keys_collect(t, places);
    keys_without_place(t, places, roles);
    stmt_visit(t->loop->body, see_index, t->facts);
    t->facts->uses_index =
        t->facts->uses_index || t->facts->ninductions > 0 || operand_has_index(t->loop);
}
