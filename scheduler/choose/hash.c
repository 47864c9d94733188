/*
 * Which loop is it? Its place among the loops of its function, and a hash of its tokens.
 */
#include "scheduler/choose/file.h"

#include <inttypes.h>

int plan_loop_ordinal(const struct unit *unit, const struct loop *loop) {
    int ordinal = 0;
    for (int i = 0; i < unit->nloops && unit->loops[i] != loop; ++i)
        ordinal += unit->loops[i]->function == loop->function;
    return ordinal;
}

static uint64_t fnv(uint64_t hash, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; ++i)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return hash;
}

const char *plan_loop_hash(const struct unit *unit, const struct loop *loop) {
    const struct range *range = &loop->stmt->range;
    uint64_t hash = 0xcbf29ce484222325u;
    if (range->begin.file >= 0 && range->begin.file == range->end.file) {
        const struct source_file *file = &unit->files[range->begin.file];
        unsigned from = range->begin.offset, to = range->end.offset;
        to = file->text && to <= file->size ? to : from;
        struct lexer lexer = lex_open(file->text, from, to);
        for (struct token t; lex_next(&lexer, &t);)
            hash = fnv(fnv(hash, file->text + t.begin, t.end - t.begin), "", 1);
    }
    return arena_printf(unit->arena, "%016" PRIx64, hash);
}
