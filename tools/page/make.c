/* From a file to its page. */
#include "tools/base/status.h"
#include "tools/page/page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int complain(const char *why) {
    fprintf(stderr, "orrery report: %s\n", why);
    return STATUS_INPUT;
}

static int write_page(struct page *page, const char *output) {
    page->out = output ? fopen(output, "w") : stdout;
    if (page->out)
        page_write(page);
    if (page->out && !ferror(page->out) && fflush(page->out) == 0 &&
        (!output || fclose(page->out) == 0))
        return STATUS_OK;
    fprintf(stderr, "orrery report: cannot write %s: %s\n", output ? output : "standard output",
            strerror(errno));
    return STATUS_INPUT;
}

int page_make(struct arena *arena, const char *file, const struct page_request *request) {
    struct compilation pipeline;
    struct cost_profile profile;
    const char *why = NULL;
    if (request->profile && !cost_profile_read(arena, request->profile, &profile, &why))
        return complain(why);
    struct compile_request asked = pipeline_named(arena, file, &request->cflags, &request->with);
    asked.neffects = request->effects.count;
    asked.effects = request->effects.items;
    asked.all = request->all;
    asked.profile = request->profile ? &profile : NULL;
    compile_unit(&pipeline, arena, &asked);
    pipeline_print_diags(&pipeline);
    if (!pipeline.unit || pipeline.diags.nerrors > 0)
        return STATUS_INPUT;
    struct page page = {.arena = arena, .pipeline = &pipeline, .file = file};
    if (request->trace && !(page.trace = trace_read(arena, request->trace, &why)))
        return complain(why);
    page.profile = request->profile ? &profile : NULL;
    return write_page(&page, request->output);
}
