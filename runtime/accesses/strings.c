/*
 * Calls of the C library that read and write memory of the program: linked by --wrap
 * (accesses_wrap.txt), noted, then carried out. What a call writes of its own accord (FILE, errno)
 * is not seen.
 */
#include "runtime/accesses/watch.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

#define CALLER ((uintptr_t)__builtin_return_address(0))

/* The library's own calls must not come back here. */
size_t __real_strlen(const char *text);

static inline bool is_watched(void) {
    return watch_is_on();
}

static inline void note_read(const void *at, size_t size, uintptr_t pc) {
    if (is_watched() && size > 0)
        shadow_read((uintptr_t)at, size, pc);
}

static inline void note_write(const void *at, size_t size, uintptr_t pc) {
    if (is_watched() && size > 0)
        shadow_write((uintptr_t)at, size, pc);
}

/* A string with its end. */
static inline void note_string(const char *text, uintptr_t pc) {
    if (is_watched() && text)
        shadow_read((uintptr_t)text, __real_strlen(text) + 1, pc);
}

static inline void note_made(const char *text, uintptr_t pc) {
    if (is_watched() && text)
        shadow_write((uintptr_t)text, __real_strlen(text) + 1, pc);
}

/* ---- bytes ----------------------------------------------------------------------------------- */

void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_mempcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__real_memset(void *to, int value, size_t size);
int __real_memcmp(const void *a, const void *b, size_t size);
void *__real_memchr(const void *at, int value, size_t size);
void __real_bzero(void *to, size_t size);
void __real_bcopy(const void *from, void *to, size_t size);

#define COPY(name)                                                                                 \
    void *__wrap_##name(void *to, const void *from, size_t size) {                                 \
        note_read(from, size, CALLER);                                                             \
        note_write(to, size, CALLER);                                                              \
        return __real_##name(to, from, size);                                                      \
    }

COPY(memcpy)
COPY(mempcpy)
COPY(memmove)

void *__wrap_memset(void *to, int value, size_t size) {
    note_write(to, size, CALLER);
    return __real_memset(to, value, size);
}

int __wrap_memcmp(const void *a, const void *b, size_t size) {
    note_read(a, size, CALLER);
    note_read(b, size, CALLER);
    return __real_memcmp(a, b, size);
}

void *__wrap_memchr(const void *at, int value, size_t size) {
    void *found = __real_memchr(at, value, size);
    note_read(at, found ? (size_t)((char *)found - (const char *)at) + 1 : size, CALLER);
    return found;
}

void __wrap_bzero(void *to, size_t size) {
    note_write(to, size, CALLER);
    __real_bzero(to, size);
}

void __wrap_bcopy(const void *from, void *to, size_t size) {
    note_read(from, size, CALLER);
    note_write(to, size, CALLER);
    __real_bcopy(from, to, size);
}

/* ---- strings --------------------------------------------------------------------------------- */

char *__real_strcpy(char *to, const char *from);
char *__real_stpcpy(char *to, const char *from);
char *__real_strncpy(char *to, const char *from, size_t size);
char *__real_strcat(char *to, const char *from);
char *__real_strncat(char *to, const char *from, size_t size);
int __real_strcmp(const char *a, const char *b);
int __real_strcasecmp(const char *a, const char *b);
int __real_strncmp(const char *a, const char *b, size_t size);
char *__real_strchr(const char *text, int c);
char *__real_strrchr(const char *text, int c);
char *__real_strstr(const char *text, const char *part);
char *__real_strdup(const char *text);
int __real_atoi(const char *text);
double __real_atof(const char *text);
long __real_strtol(const char *text, char **end, int base);
unsigned long __real_strtoul(const char *text, char **end, int base);
double __real_strtod(const char *text, char **end);

size_t __wrap_strlen(const char *text) {
    note_string(text, CALLER);
    return __real_strlen(text);
}

#define COPY_STRING(name)                                                                          \
    char *__wrap_##name(char *to, const char *from) {                                              \
        note_string(from, CALLER);                                                                 \
        if (is_watched())                                                                          \
            shadow_write((uintptr_t)to, __real_strlen(from) + 1, CALLER);                          \
        return __real_##name(to, from);                                                            \
    }

COPY_STRING(strcpy)
COPY_STRING(stpcpy)

char *__wrap_strncpy(char *to, const char *from, size_t size) {
    if (is_watched())
        note_read(from, strnlen(from, size), CALLER);
    note_write(to, size, CALLER);
    return __real_strncpy(to, from, size);
}

char *__wrap_strcat(char *to, const char *from) {
    note_string(to, CALLER);
    note_string(from, CALLER);
    if (is_watched())
        shadow_write((uintptr_t)to + __real_strlen(to), __real_strlen(from) + 1, CALLER);
    return __real_strcat(to, from);
}

char *__wrap_strncat(char *to, const char *from, size_t size) {
    note_string(to, CALLER);
    if (is_watched()) {
        size_t length = strnlen(from, size);
        note_read(from, length, CALLER);
        note_write(to + __real_strlen(to), length + 1, CALLER);
    }
    return __real_strncat(to, from, size);
}

#define COMPARE(name)                                                                              \
    int __wrap_##name(const char *a, const char *b) {                                              \
        note_string(a, CALLER);                                                                    \
        note_string(b, CALLER);                                                                    \
        return __real_##name(a, b);                                                                \
    }

COMPARE(strcmp)
COMPARE(strcasecmp)

int __wrap_strncmp(const char *a, const char *b, size_t size) {
    if (is_watched()) {
        note_read(a, strnlen(a, size), CALLER);
        note_read(b, strnlen(b, size), CALLER);
    }
    return __real_strncmp(a, b, size);
}

#define READ_STRING(type, name, parameters, ...)                                                   \
    type __wrap_##name parameters {                                                                \
        note_string(text, CALLER);                                                                 \
        return __real_##name(__VA_ARGS__);                                                         \
    }

READ_STRING(char *, strchr, (const char *text, int c), text, c)
READ_STRING(char *, strrchr, (const char *text, int c), text, c)
READ_STRING(char *, strdup, (const char *text), text)
READ_STRING(int, atoi, (const char *text), text)
READ_STRING(double, atof, (const char *text), text)

char *__wrap_strstr(const char *text, const char *part) {
    note_string(text, CALLER);
    note_string(part, CALLER);
    return __real_strstr(text, part);
}

#define NUMBER(type, name, parameters, ...)                                                        \
    type __wrap_##name parameters {                                                                \
        char *stop;                                                                                \
        type value = __real_##name(__VA_ARGS__);                                                   \
        note_read(text, (size_t)(stop - text) + 1, CALLER);                                        \
        if (end) {                                                                                 \
            *end = stop;                                                                           \
            note_write(end, sizeof *end, CALLER);                                                  \
        }                                                                                          \
        return value;                                                                              \
    }

NUMBER(long, strtol, (const char *text, char **end, int base), text, &stop, base)
NUMBER(unsigned long, strtoul, (const char *text, char **end, int base), text, &stop, base)
NUMBER(double, strtod, (const char *text, char **end), text, &stop)

/* ---- texts that are printed ------------------------------------------------------------------ */

int __real_vsnprintf(char *to, size_t size, const char *format, va_list arguments);
int __real_vsprintf(char *to, const char *format, va_list arguments);

int __wrap_vsnprintf(char *to, size_t size, const char *format, va_list arguments) {
    int length = __real_vsnprintf(to, size, format, arguments);
    if (size > 0)
        note_made(to, CALLER);
    return length;
}

int __wrap_vsprintf(char *to, const char *format, va_list arguments) {
    int length = __real_vsprintf(to, format, arguments);
    note_made(to, CALLER);
    return length;
}

int __wrap_snprintf(char *to, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = __real_vsnprintf(to, size, format, arguments);
    va_end(arguments);
    if (size > 0)
        note_made(to, CALLER);
    return length;
}

int __wrap_sprintf(char *to, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = __real_vsprintf(to, format, arguments);
    va_end(arguments);
    note_made(to, CALLER);
    return length;
}

/* ---- input and output ------------------------------------------------------------------------ */

size_t __real_fread(void *to, size_t size, size_t count, FILE *in);
size_t __real_fwrite(const void *from, size_t size, size_t count, FILE *out);
char *__real_fgets(char *to, int size, FILE *in);
ssize_t __real_read(int from, void *to, size_t size);
ssize_t __real_write(int into, const void *from, size_t size);

size_t __wrap_fread(void *to, size_t size, size_t count, FILE *in) {
    size_t got = __real_fread(to, size, count, in);
    note_write(to, got * size, CALLER);
    return got;
}

size_t __wrap_fwrite(const void *from, size_t size, size_t count, FILE *out) {
    note_read(from, size * count, CALLER);
    return __real_fwrite(from, size, count, out);
}

char *__wrap_fgets(char *to, int size, FILE *in) {
    char *got = __real_fgets(to, size, in);
    note_made(got, CALLER);
    return got;
}

ssize_t __wrap_read(int from, void *to, size_t size) {
    ssize_t got = __real_read(from, to, size);
    if (got > 0)
        note_write(to, (size_t)got, CALLER);
    return got;
}

ssize_t __wrap_write(int into, const void *from, size_t size) {
    note_read(from, size, CALLER);
    return __real_write(into, from, size);
}

/* ---- sorting, and results through pointers --------------------------------------------------- */

void __real_qsort(void *base, size_t count, size_t size,
                  int (*compare)(const void *, const void *));
double __real_modf(double x, double *whole);
float __real_modff(float x, float *whole);
double __real_frexp(double x, int *exponent);
float __real_frexpf(float x, int *exponent);

void __wrap_qsort(void *base, size_t count, size_t size,
                  int (*compare)(const void *, const void *)) {
    note_read(base, count * size, CALLER);
    __real_qsort(base, count, size, compare);
    note_write(base, count * size, CALLER);
}

#define SECOND_RESULT(type, name, result)                                                          \
    type __wrap_##name(type x, result *second) {                                                   \
        note_write(second, sizeof *second, CALLER);                                                \
        return __real_##name(x, second);                                                           \
    }

SECOND_RESULT(double, modf, double)
SECOND_RESULT(float, modff, float)
SECOND_RESULT(double, frexp, int)
SECOND_RESULT(float, frexpf, int)
