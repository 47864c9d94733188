/* What is said of objects. */
#include "analyzer/facts.h"

const char *object_words(struct arena *arena, const struct object *object) {
    if (object->kind == OBJECT_ROWS) {
        return arena_printf(arena, "the rows of %s%s",
                            object->ntables > 1 && !object->inner_step ? "the tables in " : "",
                            object->name);
    }
    bool pointer =
        object->kind == OBJECT_SCALAR && object->element && object->element->kind == TYPE_POINTER;
    return pointer ? arena_printf(arena, "the pointer %s", object->name) : object->name;
}
