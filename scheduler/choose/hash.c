/*
 * Which loop is it? Its place among the loops of its function, and a hash of its tokens.
 */
#include "scheduler/choose/file.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

int plan_loop_ordinal(const struct unit *unit, const struct loop *loop) {
    int ordinal = 0;
    for (int i = 0; i < unit->nloops && unit->loops[i] != loop; ++i)
        ordinal += unit->loops[i]->function == loop->function;
    return ordinal;
}

/* Length of what separates tokens at `p`: blanks, comments, line continuations. */
static size_t blank_length(const char *p, const char *end) {
    const char *start = p;
    while (p < end) {
        if (isspace((unsigned char)*p) || (*p == '\\' && end - p > 1 && p[1] == '\n')) {
            p += *p == '\\' ? 2 : 1;
        } else if (end - p > 1 && p[0] == '/' && p[1] == '/') {
            while (p < end && *p != '\n')
                ++p;
        } else if (end - p > 1 && p[0] == '/' && p[1] == '*') {
            for (p += 2; end - p > 1 && !(p[0] == '*' && p[1] == '/'); ++p) {
            }
            p = end - p > 1 ? p + 2 : end;
        } else {
            break;
        }
    }
    return (size_t)(p - start);
}

static size_t quoted_length(const char *p, const char *end) {
    const char *start = p;
    char quote = *p++;
    while (p < end && *p != quote && *p != '\n')
        p += *p == '\\' && end - p > 1 ? 2 : 1;
    return (size_t)((p < end ? p + 1 : end) - start);
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

/* Words, preprocessing numbers (1.5e-3 is one), literals, the longest operator that fits. */
static size_t token_length(const char *p, const char *end) {
    static const char *const operators[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                            "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                            "*=",  "/=",  "%=",  "&=", "|=", "^=", "##"};
    size_t left = (size_t)(end - p), n = 1;
    if (*p == '"' || *p == '\'')
        return quoted_length(p, end);
    if (is_word(*p) || (*p == '.' && left > 1 && isdigit((unsigned char)p[1]))) {
        bool number = !isalpha((unsigned char)*p) && *p != '_';
        while (n < left && (is_word(p[n]) || (number && p[n] == '.') ||
                            (number && strchr("+-", p[n]) && strchr("eEpP", p[n - 1]))))
            ++n;
        return n;
    }
    for (size_t i = 0; i < sizeof operators / sizeof *operators; ++i) {
        size_t length = strlen(operators[i]);
        if (length <= left && strncmp(p, operators[i], length) == 0)
            return length;
    }
    return 1;
}

static uint64_t fnv(uint64_t hash, const char *bytes, size_t count) {
    for (size_t i = 0; i < count; ++i)
        hash = (hash ^ (unsigned char)bytes[i]) * 0x100000001b3u;
    return hash;
}

const char *plan_loop_hash(const struct unit *unit, const struct loop *loop) {
    const struct range *range = &loop->stmt->range;
    uint64_t hash = 0xcbf29ce484222325u;
    if (range->begin.file >= 0 && range->begin.file == range->end.file) {
        const struct source_file *file = &unit->files[range->begin.file];
        size_t from = range->begin.offset, to = range->end.offset;
        to = file->text && to <= file->size ? to : from;
        for (const char *p = file->text + from, *end = file->text + to; p < end;) {
            size_t blank = blank_length(p, end), token = 0;
            if (p + blank < end) {
                token = token_length(p + blank, end);
                hash = fnv(fnv(hash, p + blank, token), "", 1);
            }
            p += blank + token;
        }
    }
    return arena_printf(unit->arena, "%016" PRIx64, hash);
}
