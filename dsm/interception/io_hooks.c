/*
 * Calls that let the kernel at user memory. A kernel does not fault on a protected page, it answers
 * EFAULT: so the memory is made valid, and its watches are marked, before the call. Functions of
 * the C library that copy in user mode (fgets, scanf, puts, memcpy, ...) fault properly and need no
 * hook.
 */
#define _GNU_SOURCE

#include "dsm/arrays/guard.h"
#include "dsm/base/wrapped.h"
#include "dsm/memory/spill.h"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
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

static void will_read(const void *memory, size_t bytes, struct dsm_hold *hold) {
    dsm_hold_all(memory, bytes, false, hold);
}

static void will_write(const void *memory, size_t bytes, struct dsm_hold *hold) {
    dsm_hold_all(memory, bytes, true, hold);
}

static void vector_touch(const struct iovec *vector, int count, bool write) {
    for (int i = 0; i < count; ++i) {
        dsm_guard_touch(vector[i].iov_base, vector[i].iov_len, write);
        dsm_spill_hold(vector[i].iov_base, vector[i].iov_len, SIZE_MAX);
    }
}

/* Keeps errno. */
static void vector_let(const struct iovec *vector, int count) {
    int error = errno;
    for (int i = 0; i < count; ++i)
        dsm_spill_let(vector[i].iov_base, vector[i].iov_len);
    errno = error;
}

/* Defines the hook of a function: what it touches first, and may `hold`,
 * then the original with the same arguments, then `let`. */
#define HOOK_LET(result, function, parameters, arguments, touch, let)                              \
    REAL_DECLARE(function);                                                                        \
    result __wrap_##function parameters;                                                           \
    result __wrap_##function parameters {                                                          \
        struct dsm_hold hold = {0};                                                                \
        touch;                                                                                     \
        result got = REAL(function) arguments;                                                     \
        let;                                                                                       \
        dsm_let(&hold);                                                                            \
        return got;                                                                                \
    }
#define HOOK(result, function, parameters, arguments, touch)                                       \
    HOOK_LET(result, function, parameters, arguments, touch, (void)0)

/* ---- what is written of a window goes to the disk, not to the kernel's cache ---- */

/* So much of a file may wait for the disk; calls that write less are not looked after. */
#define WAITS (8L << 20)
#define LEAST_WAITS (64UL << 10)

/* Pages of files that wait count as this rank's memory where a group limits it, and cannot be taken
 * from it at once. The part is sent off; what was sent WAITS bytes before is waited for, and its
 * pages go. `low`: where the part begins in the file. No file of a disk: nothing happens. */
static void part_flush(int file, off64_t low, size_t bytes) {
    int error = errno;
    off64_t high = low + (off64_t)bytes, from = low > WAITS ? low - WAITS : 0;
    if (sync_file_range(file, low, (off64_t)bytes, SYNC_FILE_RANGE_WRITE) == 0 && high > WAITS) {
        from = (off64_t)dsm_page_down((uintptr_t)from);
        sync_file_range(file, from, high - WAITS - from,
                        SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE |
                            SYNC_FILE_RANGE_WAIT_AFTER);
        posix_fadvise(file, from, high - WAITS - from, POSIX_FADV_DONTNEED);
    }
    errno = error;
}

/* The part that ends where the file is now. */
static void part_flush_here(int file, size_t bytes) {
    int error = errno;
    off64_t high = file < 0 || bytes < LEAST_WAITS ? -1 : lseek64(file, 0, SEEK_CUR);
    if (high >= (off64_t)bytes)
        part_flush(file, high - (off64_t)bytes, bytes);
    errno = error;
}

/* ---- files: part by part where the memory has a window ---- */

REAL_DECLARE(read);
REAL_DECLARE(pread);
REAL_DECLARE(pread64);
REAL_DECLARE(write);
REAL_DECLARE(pwrite);
REAL_DECLARE(pwrite64);
REAL_DECLARE(__read_chk);
REAL_DECLARE(__pread_chk);
REAL_DECLARE(__pread64_chk);

/* A call as one of several, by a part of its memory `done` bytes behind the first. */
struct part_call {
    int file;
    bool placed, writes; /* it has an offset; the kernel writes to the memory */
    off64_t offset;
};

typedef ssize_t call_part(const struct part_call *call, char *memory, size_t bytes, size_t done);

static ssize_t part_read(const struct part_call *call, char *memory, size_t bytes, size_t done) {
    return call->placed ? REAL(pread64)(call->file, memory, bytes, call->offset + (off64_t)done)
                        : REAL(read)(call->file, memory, bytes);
}

static ssize_t part_write(const struct part_call *call, char *memory, size_t bytes, size_t done) {
    return call->placed ? REAL(pwrite64)(call->file, memory, bytes, call->offset + (off64_t)done)
                        : REAL(write)(call->file, memory, bytes);
}

static void call_flush(const struct part_call *call, const struct dsm_hold *hold, ssize_t got,
                       size_t done) {
    if (call->writes || hold->window == 0 || got < (ssize_t)LEAST_WAITS)
        return;
    if (call->placed)
        part_flush(call->file, call->offset + (off64_t)done, (size_t)got);
    else
        part_flush_here(call->file, (size_t)got);
}

/* A file does not tell one long call from several, nor a pipe that is written. */
static bool has_no_borders(const struct part_call *call) {
    struct stat status;
    int error = errno;
    bool plain = fstat(call->file, &status) == 0 &&
                 (S_ISREG(status.st_mode) || (!call->writes && S_ISFIFO(status.st_mode)));
    errno = error;
    return plain;
}

/* What goes wrong behind the first part is found by the program's next call. */
static ssize_t parts_call(call_part *some, const struct part_call *call, char *memory,
                          size_t bytes) {
    struct dsm_hold hold = {0};
    size_t part = dsm_hold(memory, bytes, call->writes, &hold), done = 0;
    if (part < bytes && (part == 0 || !has_no_borders(call))) {
        dsm_hold_all(memory, bytes, call->writes, &hold);
        part = bytes;
    }
    ssize_t got = some(call, memory, part, 0);
    call_flush(call, &hold, got, 0);
    dsm_let(&hold);
    while (got > 0 && (size_t)got == part && (done += part) < bytes) {
        part = dsm_hold(memory + done, bytes - done, call->writes, &hold);
        if (part == 0) {
            part = bytes - done;
            dsm_hold_all(memory + done, part, call->writes, &hold);
        }
        int error = errno;
        got = some(call, memory + done, part, done);
        call_flush(call, &hold, got, done);
        dsm_let(&hold);
        errno = got < 0 ? error : errno;
    }
    if (done == 0)
        return got;
    return (ssize_t)(done < bytes && got > 0 ? done + (size_t)got : done);
}

#define READ_HOOK(function, parameters, placed, offset)                                            \
    ssize_t __wrap_##function parameters;                                                          \
    ssize_t __wrap_##function parameters {                                                         \
        struct part_call call = {file, placed, true, offset};                                      \
        return parts_call(part_read, &call, memory, bytes);                                        \
    }

#define WRITE_HOOK(function, parameters, placed, offset)                                           \
    ssize_t __wrap_##function parameters;                                                          \
    ssize_t __wrap_##function parameters {                                                         \
        struct part_call call = {file, placed, false, offset};                                     \
        return parts_call(part_write, &call, (char *)memory, bytes);                               \
    }

/* Glibc's check, which names what is wrong, if the room is too small. */
#define ROOM_HOOK(function, parameters, plain, arguments, checked)                                 \
    ssize_t __wrap_##function parameters;                                                          \
    ssize_t __wrap_##function parameters {                                                         \
        return bytes <= room ? __wrap_##plain arguments : REAL(function) checked;                  \
    }

READ_HOOK(read, (int file, void *memory, size_t bytes), false, 0)
READ_HOOK(pread, (int file, void *memory, size_t bytes, off_t offset), true, offset)
READ_HOOK(pread64, (int file, void *memory, size_t bytes, off64_t offset), true, offset)
WRITE_HOOK(write, (int file, const void *memory, size_t bytes), false, 0)
WRITE_HOOK(pwrite, (int file, const void *memory, size_t bytes, off_t offset), true, offset)
WRITE_HOOK(pwrite64, (int file, const void *memory, size_t bytes, off64_t offset), true, offset)
ROOM_HOOK(__read_chk, (int file, void *memory, size_t bytes, size_t room), read,
          (file, memory, bytes), (file, memory, bytes, room))
ROOM_HOOK(__pread_chk, (int file, void *memory, size_t bytes, off_t offset, size_t room), pread,
          (file, memory, bytes, offset), (file, memory, bytes, offset, room))
ROOM_HOOK(__pread64_chk, (int file, void *memory, size_t bytes, off64_t offset, size_t room),
          pread64, (file, memory, bytes, offset), (file, memory, bytes, offset, room))

/* ---- vectors: one by one where one of them has a window ---- */

REAL_DECLARE(readv);
REAL_DECLARE(preadv64);
REAL_DECLARE(writev);
REAL_DECLARE(pwritev64);

static ssize_t vector_whole(const struct part_call *call, const struct iovec *vector, int count) {
    ssize_t got;
    vector_touch(vector, count, call->writes);
    if (call->writes)
        got = call->placed ? REAL(preadv64)(call->file, vector, count, call->offset)
                           : REAL(readv)(call->file, vector, count);
    else
        got = call->placed ? REAL(pwritev64)(call->file, vector, count, call->offset)
                           : REAL(writev)(call->file, vector, count);
    vector_let(vector, count);
    return got;
}

static bool has_window(const struct iovec *vector, int count) {
    for (int i = 0; i < count; ++i)
        if (dsm_is_windowed(vector[i].iov_base, (const char *)vector[i].iov_base + 1) ||
            dsm_spill_has(vector[i].iov_base))
            return true;
    return false;
}

static ssize_t vector_call(struct part_call call, const struct iovec *vector, int count) {
    ssize_t all = 0, got = 0;
    call_part *some = call.writes ? part_read : part_write;
    if (count < 1 || count > IOV_MAX || !has_window(vector, count) || !has_no_borders(&call))
        return vector_whole(&call, vector, count);
    for (int i = 0; i < count; ++i) {
        int error = errno;
        got = parts_call(some, &call, vector[i].iov_base, vector[i].iov_len);
        if (got < 0 && all > 0)
            errno = error;
        if (got > 0)
            all += got;
        call.offset += got;
        if (got < 0 || (size_t)got < vector[i].iov_len)
            break;
    }
    return all > 0 ? all : got;
}

#define VECTOR_HOOK(function, parameters, placed, writes, offset)                                  \
    ssize_t __wrap_##function parameters;                                                          \
    ssize_t __wrap_##function parameters {                                                         \
        return vector_call((struct part_call){file, placed, writes, offset}, vector, count);       \
    }

VECTOR_HOOK(readv, (int file, const struct iovec *vector, int count), false, true, 0)
VECTOR_HOOK(preadv, (int file, const struct iovec *vector, int count, off_t offset), true, true,
            offset)
VECTOR_HOOK(preadv64, (int file, const struct iovec *vector, int count, off64_t offset), true, true,
            offset)
VECTOR_HOOK(writev, (int file, const struct iovec *vector, int count), false, false, 0)
VECTOR_HOOK(pwritev, (int file, const struct iovec *vector, int count, off_t offset), true, false,
            offset)
VECTOR_HOOK(pwritev64, (int file, const struct iovec *vector, int count, off64_t offset), true,
            false, offset)

/* ---- the kernel writes ---- */

HOOK(ssize_t, recv, (int socket, void *memory, size_t bytes, int flags),
     (socket, memory, bytes, flags), will_write(memory, bytes, &hold))
HOOK(ssize_t, recvfrom,
     (int socket, void *memory, size_t bytes, int flags, struct sockaddr *from, socklen_t *length),
     (socket, memory, bytes, flags, from, length), will_write(memory, bytes, &hold))
HOOK(ssize_t, getrandom, (void *memory, size_t bytes, unsigned flags), (memory, bytes, flags),
     will_write(memory, bytes, &hold))
HOOK(int, getentropy, (void *memory, size_t bytes), (memory, bytes),
     will_write(memory, bytes, &hold))

HOOK(ssize_t, __recv_chk, (int socket, void *memory, size_t bytes, size_t room, int flags),
     (socket, memory, bytes, room, flags), will_write(memory, bytes, &hold))
HOOK(ssize_t, __recvfrom_chk,
     (int socket, void *memory, size_t bytes, size_t room, int flags, struct sockaddr *from,
      socklen_t *length),
     (socket, memory, bytes, room, flags, from, length), will_write(memory, bytes, &hold))

/* ---- answers that the kernel writes ---- */

enum { STACK = 1 << 20 };

/* Nothing on stacks is protected; so a handler of a signal that asks there takes no lock. */
static void will_answer(void *answer, size_t bytes, struct dsm_hold *hold) {
    const uintptr_t above = (uintptr_t)answer - (uintptr_t)__builtin_frame_address(0);
    if (answer && above > STACK)
        will_write(answer, bytes, hold);
}

#define ANSWER_HOOK(result, function, parameters, arguments, bytes)                                \
    HOOK(result, function, parameters, arguments, will_answer(answer, bytes, &hold))

ANSWER_HOOK(int, stat, (const char *path, struct stat *answer), (path, answer), sizeof *answer)
ANSWER_HOOK(int, lstat, (const char *path, struct stat *answer), (path, answer), sizeof *answer)
ANSWER_HOOK(int, fstat, (int file, struct stat *answer), (file, answer), sizeof *answer)
ANSWER_HOOK(int, fstatat, (int folder, const char *path, struct stat *answer, int flags),
            (folder, path, answer, flags), sizeof *answer)
ANSWER_HOOK(int, stat64, (const char *path, struct stat64 *answer), (path, answer), sizeof *answer)
ANSWER_HOOK(int, lstat64, (const char *path, struct stat64 *answer), (path, answer), sizeof *answer)
ANSWER_HOOK(int, fstat64, (int file, struct stat64 *answer), (file, answer), sizeof *answer)
ANSWER_HOOK(int, fstatat64, (int folder, const char *path, struct stat64 *answer, int flags),
            (folder, path, answer, flags), sizeof *answer)
ANSWER_HOOK(ssize_t, readlink, (const char *path, char *answer, size_t bytes),
            (path, answer, bytes), bytes)
ANSWER_HOOK(ssize_t, readlinkat, (int folder, const char *path, char *answer, size_t bytes),
            (folder, path, answer, bytes), bytes)
ANSWER_HOOK(char *, getcwd, (char *answer, size_t bytes), (answer, bytes), bytes)
ANSWER_HOOK(int, uname, (struct utsname * answer), (answer), sizeof *answer)
ANSWER_HOOK(pid_t, wait, (int *answer), (answer), sizeof *answer)
ANSWER_HOOK(pid_t, waitpid, (pid_t child, int *answer, int flags), (child, answer, flags),
            sizeof *answer)
ANSWER_HOOK(int, pipe, (int answer[2]), (answer), 2 * sizeof *answer)
ANSWER_HOOK(int, pipe2, (int answer[2], int flags), (answer, flags), 2 * sizeof *answer)
ANSWER_HOOK(int, socketpair, (int domain, int type, int protocol, int answer[2]),
            (domain, type, protocol, answer), 2 * sizeof *answer)
ANSWER_HOOK(int, getrusage, (__rusage_who_t who, struct rusage *answer), (who, answer),
            sizeof *answer)
ANSWER_HOOK(int, getrlimit, (__rlimit_resource_t which, struct rlimit *answer), (which, answer),
            sizeof *answer)
ANSWER_HOOK(clock_t, times, (struct tms * answer), (answer), sizeof *answer)
ANSWER_HOOK(int, poll, (struct pollfd * answer, nfds_t count, int timeout),
            (answer, count, timeout), count * sizeof *answer)
ANSWER_HOOK(int, epoll_wait, (int poll, struct epoll_event *answer, int count, int timeout),
            (poll, answer, count, timeout), (size_t)(count > 0 ? count : 0) * sizeof *answer)
ANSWER_HOOK(int, sigprocmask, (int how, const sigset_t *set, sigset_t *answer), (how, set, answer),
            sizeof *answer)

/* ---- the kernel reads ---- */

HOOK(ssize_t, send, (int socket, const void *memory, size_t bytes, int flags),
     (socket, memory, bytes, flags), will_read(memory, bytes, &hold))
HOOK(ssize_t, sendto,
     (int socket, const void *memory, size_t bytes, int flags, const struct sockaddr *to,
      socklen_t length),
     (socket, memory, bytes, flags, to, length), will_read(memory, bytes, &hold))
/* ---- messages of several pieces ---- */

HOOK_LET(ssize_t, recvmsg, (int socket, struct msghdr *message, int flags),
         (socket, message, flags), vector_touch(message->msg_iov, (int)message->msg_iovlen, true),
         vector_let(message->msg_iov, (int)message->msg_iovlen))
HOOK_LET(ssize_t, sendmsg, (int socket, const struct msghdr *message, int flags),
         (socket, message, flags), vector_touch(message->msg_iov, (int)message->msg_iovlen, false),
         vector_let(message->msg_iov, (int)message->msg_iovlen))

/* ---- several messages, queues, requests that are done later, other processes ---- */

/* Of another library where the C library is older than 2.34. */
#pragma weak aio_read
#pragma weak aio_read64
#pragma weak aio_write
#pragma weak aio_write64
#pragma weak mq_receive
#pragma weak mq_send

static void messages_touch(struct mmsghdr *messages, unsigned count, bool write) {
    dsm_guard_touch(messages, count * sizeof *messages, true);
    for (unsigned i = 0; i < count; ++i)
        vector_touch(messages[i].msg_hdr.msg_iov, (int)messages[i].msg_hdr.msg_iovlen, write);
}

static void messages_let(const struct mmsghdr *messages, unsigned count) {
    for (unsigned i = 0; i < count; ++i)
        vector_let(messages[i].msg_hdr.msg_iov, (int)messages[i].msg_hdr.msg_iovlen);
}

/* Memory of the process is this one's where it names itself. */
static void process_touch(pid_t process, const struct iovec *vector, unsigned long count,
                          bool write) {
    if (process == getpid())
        vector_touch(vector, (int)count, write);
}

static void process_let(pid_t process, const struct iovec *vector, unsigned long count) {
    if (process == getpid())
        vector_let(vector, (int)count);
}

HOOK_LET(int, recvmmsg,
         (int socket, struct mmsghdr *messages, unsigned count, int flags, struct timespec *most),
         (socket, messages, count, flags, most), messages_touch(messages, count, true),
         messages_let(messages, count))
HOOK_LET(int, sendmmsg, (int socket, struct mmsghdr *messages, unsigned count, int flags),
         (socket, messages, count, flags), messages_touch(messages, count, false),
         messages_let(messages, count))
HOOK(ssize_t, msgrcv, (int queue, void *memory, size_t bytes, long type, int flags),
     (queue, memory, bytes, type, flags), will_write(memory, sizeof(long) + bytes, &hold))
HOOK(int, msgsnd, (int queue, const void *memory, size_t bytes, int flags),
     (queue, memory, bytes, flags), will_read(memory, sizeof(long) + bytes, &hold))
HOOK(ssize_t, mq_receive, (mqd_t queue, char *memory, size_t bytes, unsigned *rank),
     (queue, memory, bytes, rank), will_write(memory, bytes, &hold))
HOOK(int, mq_send, (mqd_t queue, const char *memory, size_t bytes, unsigned rank),
     (queue, memory, bytes, rank), will_read(memory, bytes, &hold))
HOOK(int, aio_read, (struct aiocb * request), (request),
     dsm_guard_touch((void *)request->aio_buf, request->aio_nbytes, true))
HOOK(int, aio_read64, (struct aiocb64 * request), (request),
     dsm_guard_touch((void *)request->aio_buf, request->aio_nbytes, true))
HOOK(int, aio_write, (struct aiocb * request), (request),
     dsm_guard_touch((void *)request->aio_buf, request->aio_nbytes, false))
HOOK(int, aio_write64, (struct aiocb64 * request), (request),
     dsm_guard_touch((void *)request->aio_buf, request->aio_nbytes, false))
HOOK_LET(ssize_t, preadv2,
         (int file, const struct iovec *vector, int count, off_t offset, int flags),
         (file, vector, count, offset, flags), vector_touch(vector, count, true),
         vector_let(vector, count))
HOOK_LET(ssize_t, preadv64v2,
         (int file, const struct iovec *vector, int count, off64_t offset, int flags),
         (file, vector, count, offset, flags), vector_touch(vector, count, true),
         vector_let(vector, count))
HOOK_LET(ssize_t, pwritev2,
         (int file, const struct iovec *vector, int count, off_t offset, int flags),
         (file, vector, count, offset, flags), vector_touch(vector, count, false),
         vector_let(vector, count))
HOOK_LET(ssize_t, pwritev64v2,
         (int file, const struct iovec *vector, int count, off64_t offset, int flags),
         (file, vector, count, offset, flags), vector_touch(vector, count, false),
         vector_let(vector, count))
HOOK_LET(ssize_t, process_vm_readv,
         (pid_t process, const struct iovec *to, unsigned long count, const struct iovec *from,
          unsigned long others, unsigned long flags),
         (process, to, count, from, others, flags),
         (vector_touch(to, (int)count, true), process_touch(process, from, others, false)),
         (vector_let(to, (int)count), process_let(process, from, others)))
HOOK_LET(ssize_t, process_vm_writev,
         (pid_t process, const struct iovec *from, unsigned long count, const struct iovec *to,
          unsigned long others, unsigned long flags),
         (process, from, count, to, others, flags),
         (vector_touch(from, (int)count, false), process_touch(process, to, others, true)),
         (vector_let(from, (int)count), process_let(process, to, others)))

/* ---- streams: part by part where the memory has a window ---- */

REAL_DECLARE(fread);
REAL_DECLARE(fread_unlocked);
REAL_DECLARE(__fread_chk);
REAL_DECLARE(__fread_unlocked_chk);
REAL_DECLARE(fwrite);
REAL_DECLARE(fwrite_unlocked);

/* fread, or fwrite, or what is like them. */
struct stream_call {
    size_t (*in)(void *memory, size_t size, size_t count, FILE *stream);
    size_t (*out)(const void *memory, size_t size, size_t count, FILE *stream);
};

static size_t some(struct stream_call call, char *memory, size_t size, size_t count, FILE *stream) {
    return call.in ? call.in(memory, size, count, stream) : call.out(memory, size, count, stream);
}

static size_t stream_parts(struct stream_call call, char *memory, size_t size, size_t count,
                           FILE *stream) {
    size_t all, done = 0, part, got;
    bool in = call.in != NULL;
    struct dsm_hold hold = {0};
    if (__builtin_mul_overflow(size, count, &all) || !dsm_hold(memory, all, in, &hold)) {
        dsm_guard_touch(memory, size * count, in);
        return some(call, memory, size, count, stream);
    }
    do {
        dsm_let(&hold);
        part = dsm_hold(memory + done, all - done, in, &hold);
        got = part ? some(call, memory + done, 1, part, stream) : 0;
        if (!in && hold.window)
            part_flush_here(fileno(stream), got);
        done += got;
    } while (got == part && part > 0 && done < all);
    dsm_let(&hold);
    return done / size;
}

#define STREAM_HOOK(function, memory_type, side, lock, unlock)                                     \
    size_t __wrap_##function(memory_type memory, size_t size, size_t count, FILE *stream);         \
    size_t __wrap_##function(memory_type memory, size_t size, size_t count, FILE *stream) {        \
        lock(stream);                                                                              \
        size_t got = stream_parts((struct stream_call){.side = REAL(function)}, (char *)memory,    \
                                  size, count, stream);                                            \
        unlock(stream);                                                                            \
        return got;                                                                                \
    }

/* Glibc's check, which names what is wrong, if the room is too small. */
#define CHECKED_HOOK(function, plain)                                                              \
    size_t __wrap_##function(void *memory, size_t room, size_t size, size_t count, FILE *stream);  \
    size_t __wrap_##function(void *memory, size_t room, size_t size, size_t count, FILE *stream) { \
        size_t bytes;                                                                              \
        bool fits = !__builtin_mul_overflow(size, count, &bytes) && bytes <= room;                 \
        return fits ? __wrap_##plain(memory, size, count, stream)                                  \
                    : REAL(function)(memory, room, size, count, stream);                           \
    }

/* The lock of an unlocked call is its caller's. */
static void not_locked(FILE *stream) {
    (void)stream;
}

STREAM_HOOK(fread, void *, in, flockfile, funlockfile)
STREAM_HOOK(fread_unlocked, void *, in, not_locked, not_locked)
STREAM_HOOK(fwrite, const void *, out, flockfile, funlockfile)
STREAM_HOOK(fwrite_unlocked, const void *, out, not_locked, not_locked)
CHECKED_HOOK(__fread_chk, fread)
CHECKED_HOOK(__fread_unlocked_chk, fread_unlocked)

/* ---- buffers of streams: as long as the program's, but none lies on a guarded page ---- */

HOOK(int, setvbuf, (FILE * stream, char *buffer, int mode, size_t bytes),
     (stream, buffer &&mode != _IONBF && bytes > 0 ? dsm_own_alloc(bytes) : NULL, mode, bytes), )

void __wrap_setbuffer(FILE *stream, char *buffer, size_t bytes);
void __wrap_setbuffer(FILE *stream, char *buffer, size_t bytes) {
    __wrap_setvbuf(stream, NULL, buffer ? _IOFBF : _IONBF, bytes);
}

void __wrap_setbuf(FILE *stream, char *buffer);
void __wrap_setbuf(FILE *stream, char *buffer) {
    __wrap_setbuffer(stream, buffer, BUFSIZ);
}
