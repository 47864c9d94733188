#define _GNU_SOURCE
#include "tools/run/relay.h"

#include "tools/run/errors.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* How long a stream is waited for that processes which nobody knows of hold open. */
enum { END_SECONDS = 1 };

struct relay {
    pthread_t thread;
    pthread_mutex_t lock;
    int file;     /* where it comes from */
    char *kept;   /* what has come, */
    size_t bytes; /* so many bytes, while it is not passed on */
    bool open;    /* what comes is passed on */
};

/* Without memory to keep it in there is no output of before the loop. */
static void take(struct relay *relay, const char *bytes, size_t count) {
    pthread_mutex_lock(&relay->lock);
    bool open = relay->open;
    char *kept = open ? NULL : realloc(relay->kept, relay->bytes + count);
    if (kept) {
        memcpy(kept + relay->bytes, bytes, count);
        relay->kept = kept;
        relay->bytes += count;
    }
    pthread_mutex_unlock(&relay->lock);
    if (open)
        errors_write(STDOUT_FILENO, bytes, count);
}

static void *pass_on(void *data) {
    struct relay *relay = data;
    char bytes[65536];
    ssize_t got;
    while ((got = read(relay->file, bytes, sizeof bytes)) > 0 || (got < 0 && errno == EINTR))
        if (got > 0)
            take(relay, bytes, (size_t)got);
    return NULL;
}

struct relay *relay_start(int file) {
    struct relay *relay = calloc(1, sizeof *relay);
    if (!relay)
        return NULL;
    relay->file = file;
    pthread_mutex_init(&relay->lock, NULL);
    if (pthread_create(&relay->thread, NULL, pass_on, relay) == 0)
        return relay;
    free(relay);
    return NULL;
}

void relay_open(struct relay *relay) {
    pthread_mutex_lock(&relay->lock);
    errors_write(STDOUT_FILENO, relay->kept, relay->bytes);
    relay->open = true;
    pthread_mutex_unlock(&relay->lock);
}

void relay_end(struct relay *relay) {
    struct timespec until;
    if (!relay)
        return;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += END_SECONDS;
    if (pthread_timedjoin_np(relay->thread, NULL, &until) != 0) {
        pthread_cancel(relay->thread);
        pthread_join(relay->thread, NULL);
    }
    close(relay->file);
    free(relay->kept);
    free(relay);
}
