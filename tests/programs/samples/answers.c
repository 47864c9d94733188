/* Calls of the system answer into memory that is watched: it held keys of a loop, and does again. */
#define _GNU_SOURCE
#include <aio.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 40000, CALLS = 14, BYTES = 8000 };

/* A file of BYTES bytes, each a 1. */
static int file_of_ones(void) {
    static char ones[BYTES];
    int file = memfd_create("ones", 0);
    for (int i = 0; i < BYTES; i++)
        ones[i] = 1;
    return pwrite(file, ones, BYTES, 0) == BYTES ? file : -1;
}

static int are_ones(const char *answer, long bytes) {
    for (long i = 0; i < bytes; i++)
        if (answer[i] != 1)
            return 0;
    return bytes == BYTES;
}

static int read_later(void *answer) {
    struct aiocb request = {.aio_fildes = file_of_ones(), .aio_buf = answer, .aio_nbytes = BYTES};
    if (aio_read(&request))
        return -1;
    while (aio_error(&request) == EINPROGRESS)
        usleep(100);
    return are_ones(answer, aio_return(&request)) ? 0 : -1;
}

static int read_process(void *answer) {
    char *from = mmap(NULL, BYTES, PROT_READ, MAP_PRIVATE, file_of_ones(), 0);
    struct iovec here = {answer, BYTES}, there = {from, BYTES};
    long got = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
    return (got < 0 && errno != EFAULT) || are_ones(answer, got) ? 0 : -1; /* may be forbidden */
}

static int take_messages(void *answer) {
    struct iovec place = {answer, 300};
    struct mmsghdr message = {.msg_hdr = {.msg_iov = &place, .msg_iovlen = 1}};
    int ends[2];
    return socketpair(AF_UNIX, SOCK_DGRAM, 0, ends) || send(ends[0], "abc", 4, 0) != 4 ||
                   recvmmsg(ends[1], &message, 1, 0, NULL) != 1 || message.msg_len != 4
               ? -1
               : 0;
}

static int take_from_queue(void *answer) {
    struct {
        long type;
        char text[8];
    } sent = {1, "abc"};
    int queue = msgget(IPC_PRIVATE, 0600);
    int got = msgsnd(queue, &sent, 8, 0) == 0 ? (int)msgrcv(queue, answer, 8, 0, 0) : 8;
    if (queue >= 0)
        msgctl(queue, IPC_RMID, NULL);
    return got == 8 ? 0 : -1;
}

static int read_vectors(void *answer) {
    struct iovec place = {answer, BYTES};
    return are_ones(answer, preadv2(file_of_ones(), &place, 1, 0, 0)) ? 0 : -1;
}

static int ask(int call, void *answer) {
    int *ends = answer;
    pid_t child;
    switch (call) {
    case 0:
        return fstat(1, answer);
    case 1:
        return getrusage(RUSAGE_SELF, answer);
    case 2:
        return getcwd(answer, 4000) ? 0 : -1;
    case 3:
        return uname(answer);
    case 4:
        return readlink("/proc/self/exe", answer, 300) > 0 ? 0 : -1;
    case 5:
        return pipe(ends) || close(ends[0]) || close(ends[1]);
    case 6:
        return getrlimit(RLIMIT_NOFILE, answer);
    case 7:
        child = fork();
        if (child == 0)
            _exit(3);
        return waitpid(child, answer, 0) == child && WEXITSTATUS(*ends) == 3 ? 0 : -1;
    case 8:
        return read_later(answer);
    case 9:
        return read_process(answer);
    case 10:
        return take_messages(answer);
    case 11:
        return take_from_queue(answer);
    case 12:
        return read_vectors(answer);
    default:
        return lstat("/", answer);
    }
}

int main(void) {
    int *key = malloc(N * sizeof *key);
    double *a = calloc(1000, sizeof *a), sum = 0;
    for (int i = 0; i < N; i++)
        key[i] = i * 7 % 1000;
    for (int call = 0; call < CALLS; call++) {
#pragma orrery parallel
        for (int i = 0; i < N; i++)
            a[key[i]] = a[key[i]] * .5 + i + call;
        if (ask(call, key + N / 2))
            printf("call %d fails\n", call);
        for (int i = 0; i < N; i++)
            key[i] = (i * 7 + call) % 1000;
    }
    for (int i = 0; i < 1000; i++)
        sum = sum * .99 + a[i];
    printf("%.17g\n", sum);
    return 0;
}
