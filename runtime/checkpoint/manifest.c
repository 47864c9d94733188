#define _GNU_SOURCE
#include "runtime/base/env.h"
#include "runtime/checkpoint/stack.h"
#include "runtime/checkpoint/state.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct text {
    char *bytes;
    size_t length, room;
};

__attribute__((format(printf, 2, 3))) static void say(struct text *text, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    size_t more = (size_t)vsnprintf(NULL, 0, format, arguments) + 1;
    if (text->length + more > text->room) {
        text->room = 2 * (text->length + more);
        text->bytes = dsm_own_realloc(text->bytes, text->room);
    }
    text->length += (size_t)vsnprintf(text->bytes + text->length, more, format, again);
    va_end(again);
    va_end(arguments);
}

/* Of the whole file that runs. */
static uint64_t program_hash(void) {
    static char bytes[1 << 16];
    XXH64_state_t hash;
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    ssize_t got;
    if (file < 0)
        dsm_fail(1, "checkpoint: cannot read the program");
    XXH64_reset(&hash, 0);
    while ((got = read(file, bytes, sizeof bytes)) > 0)
        XXH64_update(&hash, bytes, (size_t)got);
    close(file);
    return XXH64_digest(&hash);
}

static uint64_t arguments_hash(int argc, char **argv) {
    uint64_t hash = 0;
    for (int i = 1; i < argc; ++i)
        hash = XXH64(argv[i], strlen(argv[i]) + 1, hash);
    return hash;
}

char *orrery_manifest_run(int argc, char **argv) {
    const struct orrery_tunables *env = orrery_env();
    struct text text = {0};
    struct dsm_range heap = dsm_heap_range(), stack = orrery_stack_range();
    say(&text, "orrery checkpoint 1\n");
    say(&text, "program %016lx\n", program_hash());
    say(&text, "arguments %016lx", arguments_hash(argc, argv));
    for (int i = 1; i < argc; ++i) {
        say(&text, " ");
        for (const char *c = argv[i]; *c; ++c)
            say(&text, "%c", *c == '\n' ? ' ' : *c);
    }
    say(&text, "\ngrid %ldx%ld visits %ld seed ", env->rows, env->columns, env->visits);
    if (env->seed_set)
        say(&text, "%lu\n", env->seed);
    else
        say(&text, "of the plan\n");
    say(&text, "order %d sums of a GPU %d\n", env->replay, env->gpu_in_order);
    say(&text, "heap %p %p\n", (const void *)heap.low, (const void *)heap.high);
    say(&text, "stack %p\n", (const void *)stack.high);
    return text.bytes;
}

char *orrery_manifest_place(const struct orrery_place *place) {
    const struct orrery_entry *entry = place->entry;
    struct text text = {0};
    say(&text, "loop %s:%d in %s\n", entry->ckpt_point->file, entry->ckpt_point->line,
        entry->ckpt_point->function);
    say(&text, "entry %ld\n", entry->ordinal);
    say(&text, "frame %p\n", (const void *)entry->frame);
    say(&text, "locals %d\n", entry->nlive);
    for (int i = 0; i < entry->nlive; ++i)
        say(&text, "local %s %lu at %p\n", place->live[i].name, place->live[i].size,
            place->live[i].direct ? place->live[i].address : NULL);
    return text.bytes;
}

static size_t line_length(const char *text) {
    return strcspn(text, "\n");
}

bool orrery_manifest_differs(const char *is, const char *was, char is_line[256],
                             char was_line[256]) {
    while (*is) {
        size_t a = line_length(is), b = line_length(was);
        if (a != b || memcmp(is, was, a) != 0) {
            snprintf(is_line, 256, "%.*s", (int)a, is);
            snprintf(was_line, 256, "%.*s", (int)b, was);
            return true;
        }
        is += a + (is[a] == '\n');
        was += b + (was[b] == '\n');
    }
    return false;
}
