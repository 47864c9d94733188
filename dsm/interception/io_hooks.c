/*
 * Calls that let the kernel at user memory. A kernel does not fault on a protected page, it answers
 * EFAULT: so the memory is made valid, and its watches are marked, before the call. Functions of
 * the C library that copy in user mode (fgets, scanf, puts, memcpy, ...) fault properly and need no
 * hook.
 */
#define _GNU_SOURCE
#include "dsm/interception/hooks.h"

#include "dsm/arrays/guard.h"
#include "dsm/base/wrapped.h"

#include <stdio.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* Glibc's checked variants, which -D_FORTIFY_SOURCE calls; not declared without it. */
ssize_t __read_chk(int file, void *memory, size_t bytes, size_t room);
ssize_t __pread_chk(int file, void *memory, size_t bytes, off_t offset, size_t room);
ssize_t __pread64_chk(int file, void *memory, size_t bytes, off64_t offset, size_t room);
ssize_t __recv_chk(int socket, void *memory, size_t bytes, size_t room, int flags);
ssize_t __recvfrom_chk(int socket, void *memory, size_t bytes, size_t room, int flags,
                       struct sockaddr *from, socklen_t *length);
size_t __fread_chk(void *memory, size_t room, size_t size, size_t count, FILE *stream);
size_t __fread_unlocked_chk(void *memory, size_t room, size_t size, size_t count, FILE *stream);

static void will_read(const void *memory, size_t bytes) {
    dsm_guard_touch(memory, bytes, false);
}

static void will_write(const void *memory, size_t bytes) {
    dsm_guard_touch(memory, bytes, true);
}

static void vector_touch(const struct iovec *vector, int count, bool write) {
    for (int i = 0; i < count; ++i)
        dsm_guard_touch(vector[i].iov_base, vector[i].iov_len, write);
}

static void message_touch(const struct msghdr *message, bool write) {
    vector_touch(message->msg_iov, (int)message->msg_iovlen, write);
}

/* Defines the hook of a function: what it touches first,
 * then the original with the same arguments. */
#define HOOK(result, function, parameters, arguments, touch)                                       \
    REAL_DECLARE(function);                                                                        \
    result __wrap_##function parameters;                                                           \
    result __wrap_##function parameters {                                                          \
        touch;                                                                                     \
        return REAL(function) arguments;                                                           \
    }

/* ---- the kernel writes ---- */

HOOK(ssize_t, read, (int file, void *memory, size_t bytes), (file, memory, bytes),
     will_write(memory, bytes))
HOOK(ssize_t, pread, (int file, void *memory, size_t bytes, off_t offset),
     (file, memory, bytes, offset), will_write(memory, bytes))
HOOK(ssize_t, pread64, (int file, void *memory, size_t bytes, off64_t offset),
     (file, memory, bytes, offset), will_write(memory, bytes))
HOOK(ssize_t, readv, (int file, const struct iovec *vector, int count), (file, vector, count),
     vector_touch(vector, count, true))
HOOK(ssize_t, preadv, (int file, const struct iovec *vector, int count, off_t offset),
     (file, vector, count, offset), vector_touch(vector, count, true))
HOOK(ssize_t, preadv64, (int file, const struct iovec *vector, int count, off64_t offset),
     (file, vector, count, offset), vector_touch(vector, count, true))
HOOK(ssize_t, recv, (int socket, void *memory, size_t bytes, int flags),
     (socket, memory, bytes, flags), will_write(memory, bytes))
HOOK(ssize_t, recvfrom,
     (int socket, void *memory, size_t bytes, int flags, struct sockaddr *from, socklen_t *length),
     (socket, memory, bytes, flags, from, length), will_write(memory, bytes))
HOOK(ssize_t, recvmsg, (int socket, struct msghdr *message, int flags), (socket, message, flags),
     message_touch(message, true))
HOOK(size_t, fread, (void *memory, size_t size, size_t count, FILE *stream),
     (memory, size, count, stream), will_write(memory, size *count))
HOOK(size_t, fread_unlocked, (void *memory, size_t size, size_t count, FILE *stream),
     (memory, size, count, stream), will_write(memory, size *count))
HOOK(ssize_t, getrandom, (void *memory, size_t bytes, unsigned flags), (memory, bytes, flags),
     will_write(memory, bytes))
HOOK(int, getentropy, (void *memory, size_t bytes), (memory, bytes), will_write(memory, bytes))

HOOK(ssize_t, __read_chk, (int file, void *memory, size_t bytes, size_t room),
     (file, memory, bytes, room), will_write(memory, bytes))
HOOK(ssize_t, __pread_chk, (int file, void *memory, size_t bytes, off_t offset, size_t room),
     (file, memory, bytes, offset, room), will_write(memory, bytes))
HOOK(ssize_t, __pread64_chk, (int file, void *memory, size_t bytes, off64_t offset, size_t room),
     (file, memory, bytes, offset, room), will_write(memory, bytes))
HOOK(ssize_t, __recv_chk, (int socket, void *memory, size_t bytes, size_t room, int flags),
     (socket, memory, bytes, room, flags), will_write(memory, bytes))
HOOK(ssize_t, __recvfrom_chk,
     (int socket, void *memory, size_t bytes, size_t room, int flags, struct sockaddr *from,
      socklen_t *length),
     (socket, memory, bytes, room, flags, from, length), will_write(memory, bytes))
HOOK(size_t, __fread_chk, (void *memory, size_t room, size_t size, size_t count, FILE *stream),
     (memory, room, size, count, stream), will_write(memory, size *count))
HOOK(size_t, __fread_unlocked_chk,
     (void *memory, size_t room, size_t size, size_t count, FILE *stream),
     (memory, room, size, count, stream), will_write(memory, size *count))

/* ---- the kernel reads ---- */

HOOK(ssize_t, write, (int file, const void *memory, size_t bytes), (file, memory, bytes),
     will_read(memory, bytes))
HOOK(ssize_t, pwrite, (int file, const void *memory, size_t bytes, off_t offset),
     (file, memory, bytes, offset), will_read(memory, bytes))
HOOK(ssize_t, pwrite64, (int file, const void *memory, size_t bytes, off64_t offset),
     (file, memory, bytes, offset), will_read(memory, bytes))
HOOK(ssize_t, writev, (int file, const struct iovec *vector, int count), (file, vector, count),
     vector_touch(vector, count, false))
HOOK(ssize_t, pwritev, (int file, const struct iovec *vector, int count, off_t offset),
     (file, vector, count, offset), vector_touch(vector, count, false))
HOOK(ssize_t, pwritev64, (int file, const struct iovec *vector, int count, off64_t offset),
     (file, vector, count, offset), vector_touch(vector, count, false))
HOOK(ssize_t, send, (int socket, const void *memory, size_t bytes, int flags),
     (socket, memory, bytes, flags), will_read(memory, bytes))
HOOK(ssize_t, sendto,
     (int socket, const void *memory, size_t bytes, int flags, const struct sockaddr *to,
      socklen_t length),
     (socket, memory, bytes, flags, to, length), will_read(memory, bytes))
HOOK(ssize_t, sendmsg, (int socket, const struct msghdr *message, int flags),
     (socket, message, flags), message_touch(message, false))
HOOK(size_t, fwrite, (const void *memory, size_t size, size_t count, FILE *stream),
     (memory, size, count, stream), will_read(memory, size *count))
HOOK(size_t, fwrite_unlocked, (const void *memory, size_t size, size_t count, FILE *stream),
     (memory, size, count, stream), will_read(memory, size *count))

/* ---- buffers of streams: the C library's own, so that none lies on a guarded page ---- */

HOOK(int, setvbuf, (FILE * stream, char *buffer, int mode, size_t bytes),
     (stream, NULL, mode, bytes), (void)buffer)

void __wrap_setbuffer(FILE *stream, char *buffer, size_t bytes);
void __wrap_setbuffer(FILE *stream, char *buffer, size_t bytes) {
    __wrap_setvbuf(stream, NULL, buffer ? _IOFBF : _IONBF, bytes);
}

void __wrap_setbuf(FILE *stream, char *buffer);
void __wrap_setbuf(FILE *stream, char *buffer) {
    __wrap_setbuffer(stream, buffer, BUFSIZ);
}
