/* Guards that say what one before them says. */
#include "scheduler/base/guard.h"

#include <string.h>

bool emit_guard_is_repeated(const struct loop_facts *facts, int index) {
    const struct guard *guard = &facts->guards[index];
    for (int i = 0; guard->kind != GUARD_NO_OVERLAP && i < index; ++i) {
        const struct guard *other = &facts->guards[i];
        if (other->kind == guard->kind && other->assumed == guard->assumed &&
            other->a == guard->a && other->b == guard->b && strcmp(other->text, guard->text) == 0)
            return true;
    }
    return guard->repeated;
}

const char *guard_serial_words(struct arena *arena, const struct guard *guard) {
    const char *words = expr_print(arena, guard->serial);
    return guard->when ? arena_printf(arena, "%s && %s", expr_print(arena, guard->when), words)
                       : words;
}
