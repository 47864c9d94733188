/* Compilation databases: compile_commands.json, as CMake, Meson and Bear write it. */
#ifndef ORRERY_TOOLS_COMPDB_H
#define ORRERY_TOOLS_COMPDB_H

#include "tools/base/arglist.h"

/*
 * One C file to be read. `file`: absolute out of a database, else as the user named it.
 * `directory`: where its flags count from; NULL: the current folder. `cflags`: unfiltered.
 */
struct compdb_entry {
    const char *file, *directory;
    struct arg_list cflags;
};

struct compdb {
    struct arena *arena;
    int count;
    struct compdb_entry *entries;
    int left_out; /* entries that are not C */
};

/*
 * Reads `path`, a compile_commands.json or the folder it is in: its C files in the order of the
 * database, each with the same flags once. Returns 0, or -1 after a message with the place.
 */
int compdb_read(struct compdb *db, struct arena *arena, const char *path);

/* Files named on a command line, all with the same flags. */
struct compdb compdb_named(const struct arg_list *files, const struct arg_list *cflags);

/* The entries for `file` (as the user names it) are moved into `chosen`; their number. */
int compdb_select(const struct compdb *db, const char *file, struct compdb *chosen);

#endif
