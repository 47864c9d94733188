/* A growing list of arguments, NULL-terminated at all times once something was pushed. */
#ifndef ORRERY_TOOLS_ARGLIST_H
#define ORRERY_TOOLS_ARGLIST_H

#include "analyzer/analyzer.h"

struct arg_list {
    struct arena *arena;
    int count;
    const char **items;
};

static inline void arg_list_push(struct arg_list *list, const char *arg) {
    ARENA_PUSH(list->arena, list->items, list->count, arg);
    list->items =
        (const char **)arena_grow(list->arena, list->items, list->count, sizeof *list->items);
    list->items[list->count] = NULL;
}

#endif
