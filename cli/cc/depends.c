#include "cli/cc/cc.h"

#include <stdio.h>
#include <string.h>

/* A name as make reads it. */
static void put_escaped(FILE *out, const char *name) {
    for (; *name; ++name) {
        if (strchr(" #\t", *name))
            fputc('\\', out);
        fputs(*name == '$' ? "$$" : (char[]){*name, 0}, out);
    }
}

static int complain(const char *file) {
    fprintf(stderr, "orrery-cc: error: cannot write %s\n", file);
    return 1;
}

static int append_name(const char *file, const char *target, const char *name) {
    FILE *out = fopen(file, "a");
    if (!out)
        return complain(file);
    put_escaped(out, target);
    fputs(": ", out);
    put_escaped(out, name);
    fputc('\n', out);
    return fclose(out) == 0 ? 0 : complain(file);
}

static int append_file(const char *file, const char *from) {
    FILE *in = fopen(from, "r"), *out = fopen(file, "a");
    char block[4096];
    size_t got;
    while (in && out && (got = fread(block, 1, sizeof block, in)) > 0)
        fwrite(block, 1, got, out);
    if (in)
        fclose(in);
    return in && out && fclose(out) == 0 ? 0 : complain(file);
}

static bool is_c(const char *name) {
    size_t length = strlen(name);
    return length > 2 && strcmp(name + length - 2, ".c") == 0;
}

/* The host compiler lists what `source` includes, into `file`. */
static int list(const struct depends_request *request, const char *source, const char *file) {
    const struct depends *depends = &request->line->depends;
    struct arg_list command = {.arena = request->line->arena};
    for (int i = 0; i < request->compile->count; ++i)
        arg_list_push(&command, request->compile->items[i]);
    arg_list_push(&command, depends->user_only ? "-MM" : "-M");
    if (depends->phony)
        arg_list_push(&command, "-MP");
    if (depends->missing_generated)
        arg_list_push(&command, "-MG");
    arg_list_push(&command, "-MF");
    arg_list_push(&command, file);
    for (int i = 0; i < depends->targets.count; ++i)
        arg_list_push(&command, depends->targets.items[i]);
    if (depends->targets.count == 0) {
        arg_list_push(&command, "-MQ");
        arg_list_push(&command, request->made);
    }
    arg_list_push(&command, source);
    return spawn_run(&command, request->line->ours.show);
}

static int add(const struct depends_request *request, const char *name, const char *file) {
    const struct depends *depends = &request->line->depends;
    const char *target = depends->targets.count ? depends->targets.items[1] : request->made;
    if (!is_c(name))
        return append_name(file, target, name);
    const char *part = spawn_file(request->line->arena, "part.d");
    int status = list(request, name, part);
    return status ? status : append_file(file, part);
}

int depends_write(const struct depends_request *request) {
    const struct depends *depends = &request->line->depends;
    const char *file = depends->file ? depends->file : request->file;
    int status = list(request, request->source, file);
    for (int i = 0; status == 0 && i < request->extra.count && !request->line->ours.show; ++i)
        status = add(request, request->extra.items[i], file);
    return status;
}
