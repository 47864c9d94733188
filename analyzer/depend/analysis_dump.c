/*
 * --dump=deps: dims, vectors and shapes, one per line.
 */
#include "analyzer/analysis.h"

#include <stdio.h>

static void dump_access(FILE *out, const struct access *a) {
    fprintf(out, "%s@%d:%d", a->text ? a->text : "?", a->range.begin.line, a->range.begin.column);
}

static void dump_dep(FILE *out, const struct analysis *analysis, const struct dependence *dep) {
    static const char *const kinds[] = {
        [DEP_FLOW] = "flow", [DEP_ANTI] = "anti", [DEP_OUTPUT] = "output"};
    static const char *const states[] = {
        [DEP_CARRIED] = "carried",     [DEP_REFUTED] = "refuted", [DEP_PRIVATE] = "private",
        [DEP_REDUCTION] = "reduction", [DEP_RELAXED] = "relaxed", [DEP_LIMIT] = "limit"};
    fprintf(out, "  %s %s %s", states[dep->status], kinds[dep->kind], dep->object->name);
    if (dep_status_holds(dep->status)) {
        for (int d = 0; d < analysis->ndims; ++d) {
            fprintf(out, "%s%s", d ? ", " : " (",
                    entry_text(analysis->facts->unit->arena, dep->vector[d]));
        }
        fprintf(out, ")");
    }
    fprintf(out, " ");
    dump_access(out, dep->source);
    fprintf(out, " -> ");
    dump_access(out, dep->sink);
    fprintf(out, ": %s\n", dep->why);
}

static void dump_shape(FILE *out, const struct analysis *analysis, const struct row_shape *s) {
    fprintf(out, "    by %s", analysis->dims[s->dim].name);
    fprintf(out, s->partner >= 0 ? " and %s: " : ": ",
            s->partner >= 0 ? analysis->dims[s->partner].name : "");
    if (s->by_table) {
        fprintf(out, "table + %ld\n", s->table_offset);
        return;
    }
    if (s->pieces_by_table) {
        fprintf(out, "offset %s stride %s, %s x %s bytes behind the table\n", s->row_offset,
                s->row_stride, s->pieces, s->piece_bytes);
        return;
    }
    fprintf(out, "offset %s stride %s, %s x %s bytes every %s\n", s->row_offset, s->row_stride,
            s->pieces, s->piece_bytes, s->piece_stride);
}

void analysis_dump(const struct analysis *analysis, void *stream) {
    FILE *out = stream;
    const struct loop *loop = analysis->loop;
    fprintf(out, "deps of loop %d in %s, line %d, %s\n", loop->id,
            loop->function ? loop->function->name : "?", loop->header.begin.line,
            analysis->unordered ? "unordered" : "ordered");
    for (int d = 0; d < analysis->ndims; ++d) {
        fprintf(out, "  dim %s %s\n", analysis->dims[d].kind == DIM_KEY ? "key" : "variable",
                analysis->dims[d].name);
    }
    for (int i = 0; i < analysis->ndeps; ++i)
        dump_dep(out, analysis, &analysis->deps[i]);
    for (int i = 0; i < analysis->narrays; ++i) {
        const struct array_use *use = &analysis->arrays[i];
        fprintf(out, "  array %s%s\n", use->object->name, use->needed_whole ? " whole" : "");
        for (int s = 0; s < use->nshapes; ++s)
            dump_shape(out, analysis, &use->shapes[s]);
    }
}
