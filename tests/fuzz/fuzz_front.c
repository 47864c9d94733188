/* The front end and all behind it: C text -> loops, accesses, dependences, plans, reports, text. */
#include "tests/fuzz/fuzz.h"

#include "tools/pipeline/pipeline.h"
#include "tools/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports go to memory; a message is checked by the sanitizers, not by its words. */
static void report(const struct compilation *pipeline) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    report_json(pipeline, "input.c", out);
    report_text(pipeline, "input.c", false, false, out);
    fclose(out);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const flags[] = {"-ferror-limit=5"};
    struct arena *arena = arena_new();
    char *text = arena_strndup(arena, (const char *)data, size);
    struct compile_request request = pipeline_named(arena, "input.c", NULL, NULL);
    struct compilation pipeline;
    request.file.text = text;
    request.file.nflags = 1;
    request.file.flags = flags;
    request.all = true;
    if (!strstr(text, "#include")) {
        compile_unit(&pipeline, arena, &request);
        if (pipeline.unit && pipeline.diags.nerrors == 0)
            compile_text(&pipeline);
        if (pipeline.unit)
            report(&pipeline);
    }
    arena_free(arena);
    return 0;
}
