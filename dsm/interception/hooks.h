/*
 * The functions that stand in for the C library's in programs linked by orrery-cc, which passes
 * -Wl,--wrap=NAME for each name of wrap.txt. Contracts are those of the originals.
 */
#ifndef ORRERY_DSM_HOOKS_H
#define ORRERY_DSM_HOOKS_H

#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

/* hooks.c */
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_reallocarray(void *old, size_t count, size_t size);
void __wrap_free(void *memory);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes);
void *__wrap_memalign(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_valloc(size_t bytes);
void *__wrap_pvalloc(size_t bytes);
size_t __wrap_malloc_usable_size(void *memory);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t most);
char *__wrap___strdup(const char *text);
char *__wrap___strndup(const char *text, size_t most);
int __wrap_vasprintf(char **text, const char *format, va_list arguments);
int __wrap_asprintf(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap___vasprintf_chk(char **text, int flag, const char *format, va_list arguments);
int __wrap___asprintf_chk(char **text, int flag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
ssize_t __wrap_getdelim(char **line, size_t *room, int delimiter, FILE *stream);
ssize_t __wrap___getdelim(char **line, size_t *room, int delimiter, FILE *stream);
ssize_t __wrap_getline(char **line, size_t *room, FILE *stream);

/* io_hooks.c */
ssize_t __wrap_read(int file, void *memory, size_t bytes);
ssize_t __wrap_write(int file, const void *memory, size_t bytes);
size_t __wrap_fread(void *memory, size_t size, size_t count, FILE *stream);
size_t __wrap_fwrite(const void *memory, size_t size, size_t count, FILE *stream);

/* map_hooks.c */
void *__wrap_mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset);
void *__wrap_mmap64(void *address, size_t bytes, int protection, int flags, int file,
                    off64_t offset);
int __wrap_munmap(void *address, size_t bytes);
void *__wrap_mremap(void *old, size_t had, size_t bytes, int flags, void *where);
int __wrap_mprotect(void *address, size_t bytes, int protection);
int __wrap_madvise(void *address, size_t bytes, int advice);
int __wrap_sigaction(int number, const struct sigaction *action, struct sigaction *before);
__sighandler_t __wrap_signal(int number, __sighandler_t handler);
__sighandler_t __wrap___sysv_signal(int number, __sighandler_t handler);

/* end_hooks.c */
int __wrap_atexit(void (*run)(void));
int __wrap_on_exit(void (*run)(int, void *), void *data);
void *__wrap_shmat(int segment, const void *where, int flags);

/* The program sets a handler; it maps memory, or changes how: dsm_end_is_seen. */
void dsm_end_note_handler(int number, __sighandler_t handler);
void dsm_end_note_map(int protection, int flags);

#endif
