#define _GNU_SOURCE /* madvise, tee */
#include "runtime/load/load.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "include/orrery.h"

enum { LARGE = 4 << 20, WRITER_SECONDS = 5 };

long load_piece_bytes = 1 << 18;

static _Thread_local char last_error[LOAD_MESSAGE + 4096];

const char *orrery_load_error(void) {
    return last_error;
}

int load_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_error, sizeof last_error, format, arguments);
    va_end(arguments);
    return -1;
}

/* Large pages are set up in a fraction of the time that small ones take. */
static void take_large_pages(char *memory, size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t skip = (page - (uintptr_t)memory % page) % page;
    if (bytes >= LARGE && madvise(memory + skip, (bytes - skip) / page * page, MADV_HUGEPAGE) != 0)
        errno = 0; /* small ones, then */
}

void *load_memory(size_t count, size_t size) {
    void *memory = count > PTRDIFF_MAX / size ? NULL : malloc(count ? count * size : size);
    if (!memory)
        load_fail("no memory for %zu elements of %zu bytes", count, size);
    else
        take_large_pages(memory, count * size);
    return memory;
}

static int fail_to(const char *what, const char *path) {
    return load_fail("%s: cannot %s: %s", path, what, strerror(errno));
}

static int read_stream(struct load_source *source) {
    size_t capacity = 1 << 16;
    char *text = malloc(capacity);
    for (source->size = 0; text;) {
        if ((size_t)source->size + 1 == capacity) {
            char *grown = capacity > PTRDIFF_MAX / 2 ? NULL : realloc(text, capacity *= 2);
            if (!grown)
                free(text);
            text = grown;
            continue;
        }
        ssize_t got = read(source->file, text + source->size, capacity - 1 - (size_t)source->size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            fail_to("read", source->path);
            free(text);
            return -1;
        }
        if (got == 0) {
            text[source->size] = '\0';
            source->text = text;
            return 0;
        }
        source->size += got;
    }
    return load_fail("%s: no memory for its text", source->path);
}

static int refuse_packed(const struct load_source *source) {
    static const struct {
        const char *magic, *name, *command;
    } packed[] = {{"\x1f\x8b", "gzip", "gzip -dc"},
                  {"BZh", "bzip2", "bzip2 -dc"},
                  {"\xfd"
                   "7zXZ",
                   "xz", "xz -dc"},
                  {"\x28\xb5\x2f\xfd", "zstd", "zstd -dc"},
                  {"PK\x03\x04", "zip", "unzip -p"}};
    char head[8] = "";
    if (source->size < 4 || load_source_bytes(source, 0, head, 4) != 0)
        return 0;
    for (size_t i = 0; i < sizeof packed / sizeof *packed; ++i) {
        size_t length = strlen(packed[i].magic);
        if (memcmp(head, packed[i].magic, length < 4 ? length : 4) == 0)
            return load_fail("%s: is packed by %s: unpack it first, or read /dev/stdin behind `%s`",
                             source->path, packed[i].name, packed[i].command);
    }
    return 0;
}

/* Nobody has it open to write, and nothing is in it; tee(2) takes nothing out. */
static bool is_forsaken(int file) {
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    bool forsaken = tee(file, ends[1], 1, SPLICE_F_NONBLOCK) == 0;
    close(ends[0]);
    close(ends[1]);
    return forsaken;
}

/* A pipe with a name may wait for its writer, not for ever. */
static int writer_wait(const struct load_source *source) {
    struct pollfd ready = {.fd = source->file, .events = POLLIN};
    if (poll(&ready, 1, 1000 * WRITER_SECONDS) == 0 && is_forsaken(source->file))
        return load_fail("%s: is a pipe, and nobody has come to write to it for %d seconds",
                         source->path, WRITER_SECONDS);
    return 0;
}

/* Terminals and /dev/null have an end, other devices need not. */
static int stream_open(struct load_source *source, const struct stat *status) {
    bool null = status->st_rdev == makedev(1, 3);
    if (S_ISBLK(status->st_mode) || (S_ISCHR(status->st_mode) && !null && !isatty(source->file)))
        return load_fail("%s: is a device; give a file or a pipe", source->path);
    if (S_ISFIFO(status->st_mode) && writer_wait(source) != 0)
        return -1;
    fcntl(source->file, F_SETFL, fcntl(source->file, F_GETFL) & ~O_NONBLOCK);
    return read_stream(source);
}

int load_source_open(struct load_source *source, const char *path) {
    struct stat status;
    *source = (struct load_source){.path = path};
    source->file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (source->file < 0)
        return fail_to("open", path);
    int failed = 0;
    if (fstat(source->file, &status) != 0)
        failed = fail_to("read", path);
    else if (S_ISDIR(status.st_mode))
        failed = load_fail("%s: is a directory", path);
    else if (S_ISREG(status.st_mode))
        source->size = status.st_size;
    else
        failed = stream_open(source, &status);
    if (!failed)
        failed = refuse_packed(source);
    if (failed)
        load_source_close(source);
    return failed;
}

void load_source_close(struct load_source *source) {
    if (source->file >= 0)
        close(source->file);
    free(source->text);
    source->text = NULL;
    source->file = -1;
}

int load_source_bytes(const struct load_source *source, long offset, void *into, size_t size) {
    if (source->text) {
        if (offset > source->size || size > (size_t)(source->size - offset))
            return load_fail("%s: ends early", source->path);
        memcpy(into, source->text + offset, size);
        return 0;
    }
    for (size_t done = 0; done < size;) {
        ssize_t got = pread(source->file, (char *)into + done, size - done, offset + (long)done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_to("read", source->path);
        if (got == 0)
            return load_fail("%s: ends early, or was made shorter while it was read", source->path);
        done += (size_t)got;
    }
    return 0;
}

/* ---- pieces ---- */

long load_source_pieces(const struct load_source *source) {
    return (source->size + load_piece_bytes - 1) / load_piece_bytes;
}

static int reserve(struct load_piece *piece, size_t size) {
    if (size + 1 <= piece->capacity)
        return 0;
    char *memory = realloc(piece->memory, size + size / 2 + 1);
    if (!memory)
        return load_fail("no memory for a piece of %zu bytes", size);
    piece->memory = memory;
    piece->capacity = size + size / 2 + 1;
    return 0;
}

/* Where the text [from, to) of a source is; behind it a '\0' or a character of the next line. */
static const char *text_of(const struct load_source *source, long from, long to,
                           struct load_piece *piece) {
    if (source->text)
        return source->text + from;
    if (reserve(piece, (size_t)(to - from)) != 0 ||
        load_source_bytes(source, from, piece->memory, (size_t)(to - from)) != 0)
        return NULL;
    piece->memory[to - from] = '\0';
    return piece->memory;
}

int load_piece_read(const struct load_source *source, long index, struct load_piece *piece) {
    long from = index * load_piece_bytes, limit = from + load_piece_bytes;
    piece->text = "";
    piece->size = 0;
    piece->offset = from;
    if (limit > source->size)
        limit = source->size;
    long start = from > 0 ? from - 1 : 0;
    for (long end = limit, step = load_piece_bytes / 16 + 64;; step *= 2) {
        const char *text = text_of(source, start, end, piece);
        if (!text)
            return -1;
        const char *first = text;
        if (from > 0) {
            first = memchr(text, '\n', (size_t)(limit - start));
            if (!first || first + 1 - text >= limit - start)
                return 0;
            ++first;
        } else if (limit >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
            first += 3; /* the mark that some editors begin UTF-8 with */
        }
        /* The line that begins last goes on to the first line end at or behind limit - 1. */
        const char *last = memchr(text + (limit - 1 - start), '\n', (size_t)(end - (limit - 1)));
        if (last || end == source->size) {
            piece->text = first;
            piece->offset = start + (first - text);
            piece->size = last ? last + 1 - first : end - piece->offset;
            return 0;
        }
        end = end + step > source->size ? source->size : end + step;
    }
}

int load_fail_at(const struct load_source *source, long offset, const char *message) {
    struct load_piece piece = {0};
    long line = 1, column = 1;
    for (long from = 0; from < offset; from += load_piece_bytes) {
        long to = from + load_piece_bytes < offset ? from + load_piece_bytes : offset;
        const char *text = text_of(source, from, to, &piece);
        for (long i = 0; text && i < to - from; ++i) {
            column = text[i] == '\n' ? 1 : column + 1;
            line += text[i] == '\n';
        }
    }
    free(piece.memory);
    return load_fail("%s:%ld:%ld: error: %s", source->path, line, column, message);
}
