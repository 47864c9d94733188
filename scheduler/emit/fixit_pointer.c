#include "scheduler/emit/fixit_pointer.h"

#include "scheduler/transform/called.h"

const char *fixit_pointer(const struct unit *unit, const struct loop *loop, struct diag_list *list,
                          struct diag *diag) {
    struct calls calls;
    const char *words = "";
    if (!called_find(unit, loop, &calls))
        return NULL;
    for (int i = 0; i < calls.ncalls; ++i)
        diag_edit(list, diag, calls.calls[i].call->range,
                  called_choice(unit, &calls.calls[i], false));
    for (int f = 0; f < calls.calls[0].nfunctions; ++f)
        words = arena_printf(list->arena, "%s%s`%s`", words, f > 0 ? ", " : "",
                             calls.calls[0].functions[f]->name);
    return words;
}
