/* `orrery --version` */
#include "analyzer/analyzer.h"
#include "cli/command.h"
#include "tools/base/ask.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

int print_version(void) {
    struct arena *arena = arena_new();
    const char *compiler = ask_version(arena, ask_compiler());
    const char *launcher = ask_version(arena, ask_quote(arena, ask_launcher()));
    printf("orrery %s\n", ORRERY_VERSION);
    printf("libclang: %s\n", parse_clang_version(arena));
    const char *isl = linear_library_version();
    printf("isl: %.*s\n", (int)strcspn(isl, "\n"), isl);
    printf("jansson: %s\n", jansson_version_str());
    printf("compiler: %s (%s)\n", compiler ? compiler : "not found", ask_compiler());
    printf("MPI launcher: %s (%s)\n", launcher ? launcher : "not found", ask_launcher());
    arena_free(arena);
    return STATUS_OK;
}
