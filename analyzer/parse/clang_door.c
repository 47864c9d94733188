/* A file that libclang has parsed: its texts, places and messages. */
#define _GNU_SOURCE
#include "analyzer/parse/clang_private.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

const char *door_string(struct arena *arena, CXString string) {
    const char *text = clang_getCString(string);
    char *copy = arena_strdup(arena, text ? text : "");
    clang_disposeString(string);
    return copy;
}

/* ---- opening */

const char *door_resource_dir(struct arena *arena) {
    Dl_info info;
    if (!dladdr((void *)(uintptr_t)clang_getClangVersion, &info) || !info.dli_fname)
        return NULL;
    const char *version = door_string(arena, clang_getClangVersion());
    const char *digits = strpbrk(version, "0123456789");
    int major = digits ? atoi(digits) : CINDEX_VERSION_MINOR;
    char *directory = realpath(info.dli_fname, NULL);
    char *slash = directory ? strrchr(directory, '/') : NULL;
    if (slash)
        *slash = '\0';
    const char *const candidates[] = {
        arena_printf(arena, "%s/clang/%d", directory ? directory : "", major),
        arena_printf(arena, "%s/../lib/clang/%d", directory ? directory : "", major),
        arena_printf(arena, "/usr/lib/llvm-%d/lib/clang/%d", major, major),
        arena_printf(arena, "/usr/lib/clang/%d", major)};
    free(directory);
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; ++i)
        if (access(arena_printf(arena, "%s/include/stddef.h", candidates[i]), R_OK) == 0)
            return candidates[i];
    return NULL;
}

/* What libclang is asked for, and what it makes of it. */
struct parsing {
    CXIndex index;
    const char *file, *const *args;
    int nargs;
    struct CXUnsavedFile memory;
    unsigned flags;
    CXTranslationUnit unit;
};

static void *parse_here(void *data) {
    struct parsing *p = data;
    clang_parseTranslationUnit2FullArgv(p->index, p->file, p->args, p->nargs, &p->memory,
                                        p->memory.Contents ? 1 : 0, p->flags, &p->unit);
    return NULL;
}

/* libclang's own thread has 8 MB, which a chain of 5,000 `else if` fills. Pages that nobody touches
 * cost nothing; where there is no room for so many, libclang's thread has to do. */
static void parse_with_stack(struct parsing *parsing) {
    pthread_attr_t attributes;
    pthread_t thread;
    setenv("LIBCLANG_NOTHREADS", "1", 1);
    pthread_attr_init(&attributes);
    bool started = pthread_attr_setstacksize(&attributes, (size_t)128 << 20) == 0 &&
                   pthread_create(&thread, &attributes, parse_here, parsing) == 0;
    pthread_attr_destroy(&attributes);
    if (started) {
        pthread_join(thread, NULL);
        return;
    }
    unsetenv("LIBCLANG_NOTHREADS");
    parse_here(parsing);
}

static CXTranslationUnit parse(struct door *door, const struct door_request *request) {
    int nargs = 0;
    const char **args = NULL;
    ARENA_PUSH(door->arena, args, nargs, "clang");
    for (int i = 0; i < request->nargs; ++i)
        ARENA_PUSH(door->arena, args, nargs, request->args[i]);
    ARENA_PUSH(door->arena, args, nargs, "-fbracket-depth=16384"); /* gcc has no such limit */
    struct parsing parsing = {
        .index = door->index, .file = request->file, .args = args, .nargs = nargs};
    parsing.memory.Filename = request->file;
    parsing.memory.Contents = request->text;
    parsing.memory.Length = request->text ? strlen(request->text) : 0;
    parsing.flags = request->want_skipped ? CXTranslationUnit_DetailedPreprocessingRecord : 0;
    parse_with_stack(&parsing);
    return parsing.unit;
}

struct door *door_open(struct arena *arena, const struct door_request *request) {
    struct door *door = arena_alloc(arena, sizeof *door);
    door->arena = arena;
    door->index = clang_createIndex(0, 0);
    door->unit = parse(door, request);
    if (!door->unit) {
        clang_disposeIndex(door->index);
        return NULL;
    }
    door->main_file = clang_getFile(door->unit, request->file);
    return door;
}

void door_close(struct door *door) {
    for (int i = 0; i < door->nsources; ++i)
        if (door->sources[i].skipped)
            clang_disposeSourceRangeList(door->sources[i].skipped);
    clang_disposeTranslationUnit(door->unit);
    clang_disposeIndex(door->index);
}

const char *door_version(struct arena *arena) {
    return door_string(arena, clang_getClangVersion());
}

/* ---- files and places */

static int source_index(struct door *door, CXFile file, CXSourceLocation at) {
    if (!file)
        return -1;
    if (door->nsources && door->sources[door->last_source].file == file)
        return door->last_source;
    int i = 0;
    while (i < door->nsources && !clang_File_isEqual(door->sources[i].file, file))
        ++i;
    if (i == door->nsources) {
        struct door_source source = {.file = file};
        source.source.name = door_string(door->arena, clang_getFileName(file));
        source.system = clang_Location_isInSystemHeader(at);
        ARENA_PUSH(door->arena, door->sources, door->nsources, source);
    }
    return door->last_source = i;
}

int door_main_file(struct door *door) {
    return source_index(door, door->main_file,
                        clang_getLocationForOffset(door->unit, door->main_file, 0));
}

int door_nfiles(const struct door *door) {
    return door->nsources;
}

const struct source_file *door_file(struct door *door, int index) {
    struct door_source *source = &door->sources[index];
    if (!source->loaded) {
        size_t size = 0;
        const char *text = clang_getFileContents(door->unit, source->file, &size);
        source->source.text = arena_strndup(door->arena, text ? text : "", text ? size : 0);
        source->source.size = text ? size : 0;
        source->loaded = true;
    }
    return &source->source;
}

static void take_include(CXFile file, CXSourceLocation *stack, unsigned length, CXClientData data) {
    struct door *door = data;
    (void)stack;
    (void)length;
    source_index(door, file, clang_getLocationForOffset(door->unit, file, 0));
}

int door_load_includes(struct door *door) {
    clang_getInclusions(door->unit, take_include, door);
    return door->nsources;
}

const struct source_file *door_file_entry(const struct door *door, int index) {
    return &door->sources[index].source;
}

bool door_file_is_system(const struct door *door, int index) {
    return door->sources[index].system;
}

static struct span door_span(struct door *door, CXSourceRange range) {
    struct span span = {.file = -1};
    CXSourceLocation begin = clang_getRangeStart(range), end = clang_getRangeEnd(range);
    CXFile file = NULL, last = NULL;
    clang_getFileLocation(begin, &file, NULL, NULL, &span.begin);
    clang_getFileLocation(end, &last, NULL, NULL, &span.end);
    span.file = source_index(door, file, begin);
    span.expansion = span.begin;
    span.direct = clang_Location_isFromMainFile(begin) != 0;
    if (!span.direct)
        clang_getExpansionLocation(begin, NULL, NULL, NULL, &span.expansion);
    span.whole = file && file == last && span.begin <= span.end;
    if (!span.whole)
        span.end = span.begin;
    return span;
}

const char *door_line_of(struct door *door, unsigned offset, int *line) {
    CXString file;
    unsigned number = 0;
    clang_getPresumedLocation(clang_getLocationForOffset(door->unit, door->main_file, offset),
                              &file, &number, NULL);
    *line = (int)number;
    return door_string(door->arena, file);
}

struct span node_span(struct door *door, struct node node) {
    return door_span(door, clang_getCursorExtent(cursor_of(node)));
}

bool node_same_extent(struct node a, struct node b) {
    return clang_equalRanges(clang_getCursorExtent(cursor_of(a)),
                             clang_getCursorExtent(cursor_of(b)));
}

bool node_is_same(struct node a, struct node b) {
    return b.kind != NODE_NONE && memcmp(&a.raw, &b.raw, sizeof a.raw) == 0;
}

bool door_skipped(struct door *door, int file, int index, unsigned *begin, unsigned *end) {
    struct door_source *source = &door->sources[file];
    if (!source->skipped_asked) {
        source->skipped = clang_getSkippedRanges(door->unit, source->file);
        source->skipped_asked = true;
    }
    if (!source->skipped || index < 0 || (unsigned)index >= source->skipped->count)
        return false;
    CXSourceRange range = source->skipped->ranges[index];
    clang_getFileLocation(clang_getRangeStart(range), NULL, NULL, NULL, begin);
    clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL, end);
    return true;
}

/* ---- messages */

int door_nmessages(const struct door *door) {
    return (int)clang_getNumDiagnostics(door->unit);
}

struct door_message door_message(struct door *door, int index) {
    CXDiagnostic diagnostic = clang_getDiagnostic(door->unit, (unsigned)index);
    struct door_message message = {.severity = (int)clang_getDiagnosticSeverity(diagnostic)};
    message.text = door_string(door->arena, clang_getDiagnosticSpelling(diagnostic));
    CXSourceLocation at = clang_getDiagnosticLocation(diagnostic);
    message.span = door_span(door, clang_getRange(at, at));
    message.has_place = message.span.file >= 0;
    clang_disposeDiagnostic(diagnostic);
    return message;
}

/* ---- declarations at file scope */

struct visitor {
    struct door *door;
    void (*visit)(void *data, struct node node);
    void *data;
};

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data) {
    (void)parent;
    struct visitor *visitor = data;
    if (!clang_Location_isInSystemHeader(clang_getCursorLocation(cursor)))
        visitor->visit(visitor->data, node_from(cursor));
    return CXChildVisit_Continue;
}

void door_visit(struct door *door, void (*visit)(void *data, struct node node), void *data) {
    struct visitor visitor = {door, visit, data};
    clang_visitChildren(clang_getTranslationUnitCursor(door->unit), visit_top, &visitor);
}
