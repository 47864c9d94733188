/*
 * What the files behind the door share, in libclang's own types. The only file that includes
 * libclang; none but clang_*.c include it.
 */
#ifndef ORRERY_ANALYZER_CLANG_PRIVATE_H
#define ORRERY_ANALYZER_CLANG_PRIVATE_H

#include "analyzer/parse/clang_door.h"

#include <clang-c/Index.h>
#include <string.h>

_Static_assert(sizeof(CXCursor) == sizeof((struct node){0}.raw), "a node holds a cursor");
_Static_assert(sizeof(CXType) == sizeof(struct ctype), "a ctype holds a type");

/* One file known to the door: `source.text` is NULL until door_file asks for it. */
struct door_source {
    CXFile file;
    struct source_file source;
    bool system, loaded;
    CXSourceRangeList *skipped;
    bool skipped_asked;
};

struct door {
    struct arena *arena;
    CXIndex index;
    CXTranslationUnit unit;
    CXFile main_file;
    int nsources;
    struct door_source *sources;
    int last_source;
};

/* Children of one node on their way into an array. */
struct collector {
    struct arena *arena;
    int count;
    struct node *nodes;
};

static inline CXCursor cursor_of(struct node node) {
    CXCursor cursor;
    memcpy(&cursor, &node.raw, sizeof cursor);
    return cursor;
}

static inline CXType type_of(struct ctype type) {
    CXType t;
    memcpy(&t, &type, sizeof t);
    return t;
}

static inline struct ctype ctype_from(CXType type) {
    struct ctype t;
    memcpy(&t, &type, sizeof t);
    return t;
}

struct node node_from(CXCursor cursor);
/* A copy in `arena`; disposes of `string`. */
const char *door_string(struct arena *arena, CXString string);

#endif
