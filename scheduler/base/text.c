/* Buffers and edit lists. Tokens are in text_token.c. */
#include "scheduler/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_start(struct text *text, struct arena *arena) {
    *text = (struct text){.arena = arena};
    text_append(text, "", 0);
}

static void text_reserve(struct text *text, size_t length) {
    if (text->length + length < text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity <= text->length + length)
        capacity *= 2;
    char *bytes = arena_alloc(text->arena, capacity);
    if (text->length)
        memcpy(bytes, text->bytes, text->length);
    text->bytes = bytes;
    text->capacity = capacity;
}

void text_append(struct text *text, const char *bytes, size_t length) {
    text_reserve(text, length);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = 0;
    for (size_t i = 0; i < length; ++i)
        text->lines += bytes[i] == '\n';
}

void text_vprint(struct text *text, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    text_reserve(text, (size_t)length + 1);
    char *at = text->bytes + text->length;
    vsnprintf(at, (size_t)length + 1, format, again);
    va_end(again);
    text->length += (size_t)length;
    for (int i = 0; i < length; ++i)
        text->lines += at[i] == '\n';
}

void text_print(struct text *text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    text_vprint(text, format, arguments);
    va_end(arguments);
}

const char *text_escape(struct arena *arena, const char *bytes) {
    char *out = arena_alloc(arena, 4 * strlen(bytes) + 1), *at = out;
    for (unsigned char c, before = 0; *bytes; ++bytes, before = c) {
        c = (unsigned char)*bytes;
        if (c == '"' || c == '\\' || (c == '?' && before == '?')) {
            *at++ = '\\';
            *at++ = (char)c;
        } else if (c < 32 || c == 127 || (c == '/' && before == '*') ||
                   (c == '*' && before == '/')) {
            at += sprintf(at, "\\%03o", c);
        } else {
            *at++ = (char)c;
        }
    }
    return out;
}

void text_edit_add(struct text_edits *edits, size_t begin, size_t end, const char *with) {
    struct text_edit edit = {begin, end, with, edits->count};
    ARENA_PUSH(edits->arena, edits->items, edits->count, edit);
}

/* By place; of two at one place the longer first; insertions in the order they were added. */
static int edit_compare(const void *a, const void *b) {
    const struct text_edit *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    if ((x->begin == x->end) != (y->begin == y->end))
        return x->begin == x->end ? -1 : 1;
    if (x->end != y->end)
        return x->end > y->end ? -1 : 1;
    return x->order - y->order;
}

static void append_line_ends(const char *source, size_t begin, size_t end, struct text *out) {
    for (size_t i = begin; i < end; ++i)
        if (source[i] == '\n')
            text_append(out, "\n", 1);
}

static bool is_outside(const struct text_edit *edit, size_t begin, size_t end) {
    bool insertion = edit->begin == edit->end;
    return insertion ? edit->end < begin || edit->begin > end
                     : edit->end <= begin || edit->begin >= end;
}

static void edits_sort(struct text_edits *edits) {
    if (edits->count)
        qsort(edits->items, (size_t)edits->count, sizeof *edits->items, edit_compare);
}

/* Nothing of it is between `begin` and `end`, or it lies in what was replaced up to `at`. */
static bool is_idle(const struct text_edit *edit, size_t begin, size_t end, size_t at) {
    return is_outside(edit, begin, end) || (edit->begin < at && edit->end <= at && at > begin);
}

bool text_edits_fit(struct text_edits *edits, size_t begin, size_t end) {
    size_t at = begin;
    edits_sort(edits);
    for (int i = 0; i < edits->count; ++i) {
        const struct text_edit *edit = &edits->items[i];
        if (is_idle(edit, begin, end, at))
            continue;
        if (edit->begin < at || edit->end > end)
            return false;
        at = edit->end;
    }
    return true;
}

bool text_edits_apply(struct text_edits *edits, const char *source, size_t begin, size_t end,
                      bool keep_lines, struct text *out) {
    size_t at = begin;
    if (!text_edits_fit(edits, begin, end))
        return false;
    for (int i = 0; i < edits->count; ++i) {
        const struct text_edit *edit = &edits->items[i];
        if (is_idle(edit, begin, end, at))
            continue;
        text_append(out, source + at, edit->begin - at);
        text_append(out, edit->with, strlen(edit->with));
        if (keep_lines)
            append_line_ends(source, edit->begin, edit->end, out);
        at = edit->end;
    }
    text_append(out, source + at, end - at);
    return true;
}
