/* Messages with a header each: `Content-Length: N`, an empty line, N bytes of JSON. */
#define _GNU_SOURCE
#include "tools/lsp/lsp.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 65536, MOST_HEADER = 4096 };
static const size_t most_content = (size_t)1 << 28;

bool lsp_input_read(struct lsp_input *input, int fd) {
    if (input->room < input->count + PIECE) {
        size_t room = 2 * input->count + PIECE;
        char *bytes = realloc(input->bytes, room);
        if (!bytes)
            return false;
        input->bytes = bytes;
        input->room = room;
    }
    ssize_t got;
    do
        got = read(fd, input->bytes + input->count, PIECE);
    while (got < 0 && errno == EINTR);
    input->count += got > 0 ? (size_t)got : 0;
    return got > 0;
}

/* The length that a header says; -1: none. */
static long length_of(const char *header, size_t size) {
    static const char name[] = "content-length:";
    long length = -1;
    const char *end = header + size;
    for (const char *line = header; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        if (strncasecmp(line, name, sizeof name - 1) == 0)
            length = strtol(line + sizeof name - 1, NULL, 10);
        line = next ? next + 1 : end;
    }
    return length;
}

static void drop(struct lsp_input *input, size_t count) {
    input->count -= count;
    memmove(input->bytes, input->bytes + count, input->count);
}

/* Bytes up to the end of the header's empty line; 0: it has not come. */
static size_t header_size(const struct lsp_input *input) {
    for (size_t i = 4; i <= input->count; ++i)
        if (memcmp(input->bytes + i - 4, "\r\n\r\n", 4) == 0)
            return i;
    return 0;
}

enum lsp_next lsp_input_next(struct lsp_input *input, json_t **message) {
    size_t header = header_size(input);
    if (!header)
        return input->count > MOST_HEADER ? LSP_NO_HEADER : LSP_NONE;
    long length = header > MOST_HEADER ? -1 : length_of(input->bytes, header);
    if (length < 0 || (size_t)length > most_content)
        return LSP_NO_HEADER;
    if (input->count - header < (size_t)length)
        return LSP_NONE;
    *message = json_loadb(input->bytes + header, (size_t)length, 0, NULL);
    drop(input, header + (size_t)length);
    return *message ? LSP_MESSAGE : LSP_NO_JSON;
}

bool lsp_send(json_t *message) {
    char *text = json_dumps(message, JSON_COMPACT);
    bool sent = text && printf("Content-Length: %zu\r\n\r\n%s", strlen(text), text) >= 0;
    free(text);
    json_decref(message);
    return fflush(stdout) == 0 && sent;
}
