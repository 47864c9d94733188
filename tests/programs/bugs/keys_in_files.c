/* emit: 1 */
/* Keys in memory that may only be read, and that change by other ways:
 * the file's descriptor, other mappings. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 40000, BYTES = N * 4, PASSES = 4 };
static double a[1000];

static void run(const int *k, int pass) {
#pragma orrery parallel
    for (int i = 0; i < N; i++)
        a[k[i]] = a[k[i]] * .5 + i + pass;
}

static void fill(int *w, int pass) {
    for (int i = 0; i < N; i++)
        w[i] = (i * 7 + pass * pass * 31 + i / 3 * pass) % 1000;
}

static void *map(int file, int protection, int flags) {
    void *memory = mmap(NULL, BYTES, protection, flags, file, 0);
    if (memory == MAP_FAILED)
        exit(3);
    return memory;
}

static int temporary(void) {
    FILE *file = tmpfile();
    int fd = file ? fileno(file) : -1;
    if (fd < 0 || ftruncate(fd, BYTES))
        exit(3);
    return fd;
}

static void second_mapping(int fd, int flags) {
    int *w = map(fd, PROT_READ | PROT_WRITE, MAP_SHARED);
    const int *k = map(fd, PROT_READ, flags);
    for (int pass = 0; pass < PASSES; pass++) {
        fill(w, pass);
        run(k, pass);
    }
    munmap(w, BYTES);
    munmap((void *)k, BYTES);
}

/* The second one is made when the first has been looked at, and goes again. */
static void later_mapping(int fd) {
    const int *k = map(fd, PROT_READ, MAP_SHARED);
    for (int pass = 0; pass < PASSES; pass++) {
        int *w = map(fd, PROT_READ | PROT_WRITE, MAP_SHARED);
        fill(w, pass);
        munmap(w, BYTES);
        run(k, pass);
    }
    munmap((void *)k, BYTES);
}

static void put(int fd, int how, const int *from) {
    if (how ? pwrite(fd, from, BYTES, 0) != BYTES
            : lseek(fd, 0, SEEK_SET) != 0 || write(fd, from, BYTES) != BYTES)
        exit(3);
}

static void descriptor(int fd, int protection, int flags, int how) {
    static int from[N];
    const int *k = map(fd, protection, flags);
    for (int pass = 0; pass < PASSES; pass++) {
        fill(from, pass);
        put(fd, how, from);
        run(k, pass);
    }
    munmap((void *)k, BYTES);
}

/* Shorter, and longer again: zeros. */
static void truncated(int fd) {
    static int from[N];
    const int *k = map(fd, PROT_READ, MAP_SHARED);
    fill(from, 3);
    put(fd, 1, from);
    run(k, 0);
    if (ftruncate(fd, 0) || ftruncate(fd, BYTES))
        exit(3);
    run(k, 1);
    munmap((void *)k, BYTES);
}

/* mremap of no bytes makes a second mapping. */
static void doubled(int fd) {
    const int *k = map(fd, PROT_READ, MAP_SHARED);
    int *w = mremap((void *)k, 0, BYTES, MREMAP_MAYMOVE);
    if (w == MAP_FAILED || mprotect(w, BYTES, PROT_READ | PROT_WRITE))
        exit(3);
    for (int pass = 0; pass < PASSES; pass++) {
        fill(w, pass);
        run(k, pass);
    }
    munmap(w, BYTES);
    munmap((void *)k, BYTES);
}

/* A small mapping that has grown. */
static void grown(int fd) {
    const int *k = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
    int *w = map(fd, PROT_READ | PROT_WRITE, MAP_SHARED);
    k = mremap((void *)k, 4096, BYTES, MREMAP_MAYMOVE);
    if (k == MAP_FAILED)
        exit(3);
    for (int pass = 0; pass < PASSES; pass++) {
        fill(w, pass);
        run(k, pass);
    }
    munmap(w, BYTES);
    munmap((void *)k, BYTES);
}

static void system_five(void) {
    int id = shmget(IPC_PRIVATE, BYTES, IPC_CREAT | 0600);
    int *w = id < 0 ? (void *)-1 : shmat(id, NULL, 0);
    const int *k = id < 0 ? (void *)-1 : shmat(id, NULL, SHM_RDONLY);
    shmctl(id, IPC_RMID, NULL);
    if (w == (void *)-1 || k == (void *)-1)
        exit(3);
    for (int pass = 0; pass < PASSES; pass++) {
        fill(w, pass);
        run(k, pass);
    }
    shmdt(w);
    shmdt(k);
}

static void say(const char *how) {
    double s = 0;
    for (int i = 0; i < 1000; i++) {
        s = s * .99 + a[i];
        a[i] = 0;
    }
    printf("%s %.17g\n", how, s);
}

int main(void) {
    char name[64];
    snprintf(name, sizeof name, "/orrery-keys-%ld", (long)getpid());
    int memory = memfd_create("k", 0), shared = shm_open(name, O_RDWR | O_CREAT, 0600);
    shm_unlink(name);
    if (memory < 0 || shared < 0 || ftruncate(memory, BYTES) || ftruncate(shared, BYTES))
        return 3;
    second_mapping(memory, MAP_SHARED);
    say("memory");
    second_mapping(memory, MAP_PRIVATE);
    say("private of memory");
    second_mapping(shared, MAP_SHARED);
    say("shared memory");
    second_mapping(temporary(), MAP_PRIVATE);
    say("private");
    later_mapping(memory);
    say("later");
    descriptor(temporary(), PROT_READ, MAP_SHARED, 0);
    say("write");
    descriptor(temporary(), PROT_READ, MAP_PRIVATE, 1);
    say("pwrite");
    descriptor(temporary(), PROT_READ | PROT_WRITE, MAP_PRIVATE, 1);
    say("pwrite, writable");
    truncated(temporary());
    say("truncated");
    doubled(memory);
    say("doubled");
    grown(memory);
    say("grown");
    system_five();
    say("system five");
    return 0;
}
