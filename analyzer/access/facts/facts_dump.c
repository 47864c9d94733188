/* --dump=accesses: the facts of one loop, one thing per line. */
#include "analyzer/access/access.h"

#include <stdio.h>

static const char *const object_names[] = {
    [OBJECT_SCALAR] = "scalar", [OBJECT_ARRAY] = "array",   [OBJECT_POINTER] = "pointer",
    [OBJECT_ROWS] = "rows",     [OBJECT_HIDDEN] = "hidden", [OBJECT_UNKNOWN] = "unknown"};

static const char *const guard_names[] = {[GUARD_NO_OVERLAP] = "no-overlap",
                                          [GUARD_ROWS_DISJOINT] = "rows-disjoint",
                                          [GUARD_KEY_RANGE] = "key-range",
                                          [GUARD_CONDITION] = "condition",
                                          [GUARD_APART] = "apart",
                                          [GUARD_TABLES] = "tables",
                                          [GUARD_MONOTONE] = "monotone",
                                          [GUARD_INJECTIVE] = "injective",
                                          [GUARD_EMPTY] = "empty"};

/* Keys in braces: {r[n].user} - 1. */
static void dump_affine(const struct affine *a, FILE *out) {
    bool first = true;
    for (int i = 0; i < a->nterms; ++i) {
        const struct term *t = &a->terms[i];
        bool key = t->symbol->kind == SYMBOL_KEY;
        fprintf(out, "%s", first ? (t->coeff < 0 ? "-" : "") : t->coeff < 0 ? " - " : " + ");
        if (t->coeff != 1 && t->coeff != -1)
            fprintf(out, "%ld*", t->coeff < 0 ? -t->coeff : t->coeff);
        fprintf(out, "%s%s%s", key ? "{" : "", t->symbol->name, key ? "}" : "");
        first = false;
    }
    if (first) {
        fprintf(out, "%ld", a->constant);
    } else if (a->constant != 0) {
        fprintf(out, " %c %ld", a->constant < 0 ? '-' : '+',
                a->constant < 0 ? -a->constant : a->constant);
    }
}

static void dump_loops(const struct loop_facts *facts, FILE *out) {
    for (int i = 0; i < facts->ninner; ++i) {
        const struct inner_loop *l = &facts->inner[i];
        fprintf(out, "%s %s = ", i == 0 ? "loop" : "  inner", l->symbol->name);
        if (l->has_lower)
            dump_affine(&l->lower, out);
        else
            fprintf(out, "?");
        fprintf(out, " .. ");
        if (l->has_upper)
            dump_affine(&l->upper, out);
        else
            fprintf(out, "?");
        if (l->step != 1)
            fprintf(out, " by %ld", l->step);
        fprintf(out, "\n");
    }
}

static void dump_objects(const struct loop_facts *facts, FILE *out) {
    for (int i = 0; i < facts->nobjects; ++i) {
        const struct object *o = facts->objects[i];
        fprintf(out, "  object %s %s", o->name, object_names[o->kind]);
        for (int d = 0; d < o->ndims; ++d) {
            fprintf(out, " [%s", o->dims[d].stride_text ? o->dims[d].stride_text : "table");
            if (o->dims[d].extent_text)
                fprintf(out, " x %s", o->dims[d].extent_text);
            fprintf(out, "]");
        }
        fprintf(out, "%s%s%s\n", o->read ? " read" : "", o->written ? " written" : "",
                o->captured ? "" : " not-captured");
    }
}

static void dump_access(const struct loop_facts *facts, const struct access *a, FILE *out) {
    fprintf(out, "  %s %s", a->write ? "write" : "read", a->object->name);
    for (int d = 0; d < a->nsubs; ++d) {
        fprintf(out, "[");
        if (a->subs[d].known)
            dump_affine(&a->subs[d].value, out);
        else
            fprintf(out, "?");
        fprintf(out, "]");
    }
    if (a->field_size >= 0 && a->object->element && a->field_size != a->object->element->size)
        fprintf(out, " bytes %ld..%ld", a->field_offset, a->field_offset + a->field_size);
    if (a->reduction >= 0)
        fprintf(out, " reduced");
    fprintf(out, "%s%s%s at %d:%d `%s`\n", a->conditional ? " sometimes" : "",
            a->either ? " either" : "", a->via ? " called" : "", a->range.begin.line,
            a->range.begin.column, a->text);
    for (int d = 0; d < a->nsubs; ++d) {
        if (!a->subs[d].known) {
            fprintf(out, "    why: %s\n", a->subs[d].why_not ? a->subs[d].why_not : "-");
            break;
        }
    }
    (void)facts;
}

static void dump_streams(const struct loop_facts *facts, FILE *out) {
    for (int i = 0; i < facts->nstreams; ++i) {
        const struct stream_load *s = &facts->streams[i];
        fprintf(out, "  stream %s `%s`", s->key ? "key" : "value",
                expr_print(facts->unit->arena, s->expr));
        if (s->key)
            fprintf(out, " {%s} %+ld", s->key->name, s->key_constant);
        for (int g = 0; g < s->nguards; ++g) {
            fprintf(out, " if%s `%s`", s->sense[g] ? "" : " not",
                    expr_print(facts->unit->arena, s->guards[g]));
        }
        fprintf(out, " at");
        for (int j = 0; j < s->nsites; ++j) {
            fprintf(out, " %d:%d-%d", s->sites[j].begin.line, s->sites[j].begin.column,
                    s->sites[j].end.column);
        }
        fprintf(out, "\n");
    }
    for (int i = 0; i < facts->nunreplaceable_keys; ++i)
        fprintf(out, "  unreplaceable {%s}\n", facts->unreplaceable_keys[i]->name);
    fprintf(out, "%s", facts->uses_index ? "  uses-index\n" : "");
}

static void dump_names(const struct loop_facts *facts, FILE *out) {
    for (int i = 0; i < facts->nprivates; ++i) {
        fprintf(out, "  private %s%s\n", facts->privates[i].var->name,
                facts->privates[i].last_value ? " last" : "");
    }
    for (int i = 0; i < facts->nreductions; ++i) {
        const struct reduction *r = &facts->reductions[i];
        fprintf(out, "  reduction %s %s%s%s%s\n", reduction_word(r->op), r->object->name,
                r->is_array ? " array" : "", r->asserted ? " asserted" : "",
                r->marked ? " marked" : "");
    }
    fprintf(out, "  captures");
    for (int i = 0; i < facts->ncaptures; ++i)
        fprintf(out, " %s", facts->captures[i].var->name);
    fprintf(out, "\n");
    if (facts->nglobals > 0) {
        fprintf(out, "  globals");
        for (int i = 0; i < facts->nglobals; ++i)
            fprintf(out, " %s", facts->globals[i].var->name);
        fprintf(out, "\n");
    }
}

void facts_dump(const struct loop_facts *facts, void *stream) {
    FILE *out = stream;
    if (facts->ninner == 0)
        fprintf(out, "loop ?\n");
    dump_loops(facts, out);
    dump_objects(facts, out);
    for (int i = 0; i < facts->naccesses; ++i)
        dump_access(facts, &facts->accesses[i], out);
    dump_names(facts, out);
    dump_streams(facts, out);
    for (int i = 0; i < facts->nguards; ++i) {
        fprintf(out, "  guard %s%s `%s`\n", guard_names[facts->guards[i].kind],
                facts->guards[i].assumed ? " assumed" : "", facts->guards[i].text);
    }
    for (int i = 0; i < facts->nrefusals; ++i) {
        const struct refusal *r = &facts->refusals[i];
        fprintf(out, "  refusal %s at %d:%d %s\n", r->code, r->range.begin.line,
                r->range.begin.column, r->message);
    }
}
