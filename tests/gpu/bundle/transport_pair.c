/*
 * Ranks of one host over sockets, where there is no MPI: for gpu-check alone, in the place of the
 * module liborrery-mpi.so. PAIR_RANK, PAIR_RANKS: who this is; PAIR_FOLDER: where rank i listens,
 * at the name i. Messages are written and read whenever somebody asks for one; those that come
 * before they are asked for are kept.
 */
#include "dsm/transport/transport.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RANKS = 16, STATUS_ERROR = 71 };

extern const struct dsm_transport dsm_transport_mpi_2;

struct head {
    int channel, tag;
    size_t bytes;
};

/* A message to or from `peer`. `at`: bytes of it that are done, of a sent one with its head.
 * `asked`: a receive is for it, whose memory `data` is; else it is ours. */
struct message {
    struct message *next;
    int peer;
    struct head head;
    char *data;
    size_t at;
    bool asked, done;
};

/* `file`: its socket. `out`: what is to be written there, `in`: what is being read, whose head has
 * come up to `head_at`; `gone`: it is closed. */
struct peer {
    int file;
    struct message *out, *in;
    struct head head;
    size_t head_at;
    bool gone;
};

static struct dsm_world *the_world;
static struct peer peers[MOST_RANKS];
static struct message *receives, *kept;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int hosts[MOST_RANKS];

/* ---- life ---- */

static int number_of(const char *name) {
    const char *text = getenv(name);
    if (!text)
        the_world->fail(STATUS_ERROR, "%s is not set", name);
    return atoi(text);
}

static struct sockaddr_un address_of(int rank) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s/%d", getenv("PAIR_FOLDER"), rank);
    return address;
}

static void call(int rank) {
    struct sockaddr_un address = address_of(rank);
    peers[rank].file = socket(AF_UNIX, SOCK_STREAM, 0);
    for (int i = 0; connect(peers[rank].file, (void *)&address, sizeof address) != 0; ++i) {
        if (i == 3000)
            the_world->fail(STATUS_ERROR, "rank %d does not listen", rank);
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    if (write(peers[rank].file, &the_world->rank, sizeof rank) != sizeof rank)
        the_world->fail(STATUS_ERROR, "rank %d has gone", rank);
}

static void answer(int listener) {
    int rank, file = accept(listener, NULL, NULL);
    if (file < 0 || read(file, &rank, sizeof rank) != sizeof rank)
        the_world->fail(STATUS_ERROR, "a rank has gone");
    peers[rank].file = file;
}

static void pair_start(struct dsm_world *world) {
    the_world = world;
    world->rank = world->host_rank = number_of("PAIR_RANK");
    world->ranks = world->host_ranks = number_of("PAIR_RANKS");
    world->max_tag = 0x7fffffff;
    world->hosts = hosts;
    world->direct = false;
    struct sockaddr_un mine = address_of(world->rank);
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (world->ranks > MOST_RANKS || bind(listener, (void *)&mine, sizeof mine) != 0 ||
        listen(listener, MOST_RANKS) != 0)
        world->fail(STATUS_ERROR, "%s: %s", mine.sun_path, strerror(errno));
    for (int rank = 0; rank < world->rank; ++rank)
        call(rank);
    for (int rank = world->rank + 1; rank < world->ranks; ++rank)
        answer(listener);
    close(listener);
}

static bool progress(void);

/* What others still wait for leaves first. */
static void pair_finish(void) {
    for (int rank = 0; rank < the_world->ranks; ++rank)
        while (peers[rank].out && !peers[rank].gone)
            progress();
}

static void pair_end(int status) {
    _exit(status);
}

/* ---- messages ---- */

static struct message *message_new(int peer, struct head head, char *data, bool asked) {
    struct message *message = malloc(sizeof *message);
    if (!message || (!data && head.bytes && !(data = malloc(head.bytes))))
        the_world->fail(STATUS_ERROR, "no memory for a message");
    *message = (struct message){NULL, peer, head, data, 0, asked, false};
    return message;
}

static void append(struct message **list, struct message *message) {
    while (*list)
        list = &(*list)->next;
    *list = message;
}

static struct message **find(struct message **list, int peer, int channel, int tag) {
    while (*list && ((*list)->peer != peer || (*list)->head.channel != channel ||
                     (tag >= 0 && (*list)->head.tag != tag)))
        list = &(*list)->next;
    return list;
}

static struct message *take(struct message **from) {
    struct message *message = *from;
    if (message)
        *from = message->next;
    return message;
}

/* The number of bytes that came or went now. A rank that has ended closes its sockets; who misses
 * one is ended by gpu-check's clock. */
static size_t moved(struct peer *peer, long bytes) {
    if (bytes == 0 || (bytes < 0 && errno != EAGAIN && errno != EINTR))
        peer->gone = true;
    return bytes > 0 ? (size_t)bytes : 0;
}

static bool write_some(struct peer *peer) {
    struct message *message = peer->out;
    size_t head = sizeof message->head, now;
    if (!message)
        return false;
    if (message->at < head)
        now = moved(peer, send(peer->file, (char *)&message->head + message->at, head - message->at,
                               MSG_DONTWAIT | MSG_NOSIGNAL));
    else
        now = moved(peer,
                    send(peer->file, message->data + (message->at - head),
                         head + message->head.bytes - message->at, MSG_DONTWAIT | MSG_NOSIGNAL));
    message->at += now;
    if (message->at == head + message->head.bytes) {
        peer->out = message->next;
        message->done = true;
    }
    return now > 0;
}

/* The head is there: into the memory of who asked for it, or into ours. */
static void head_read(struct peer *peer, int rank) {
    struct message *message = take(find(&receives, rank, peer->head.channel, peer->head.tag));
    if (message && message->head.bytes != peer->head.bytes)
        the_world->fail(STATUS_ERROR, "a message from rank %d has %zu bytes where %zu are expected",
                        rank, peer->head.bytes, message->head.bytes);
    if (!message) {
        message = message_new(rank, peer->head, NULL, false);
        append(&kept, message);
    }
    peer->head_at = 0;
    peer->in = message;
}

/* Of one that we keep the memory may be asked for while it comes: see receive_start. */
static void in_end(struct peer *peer) {
    if (peer->in->at == peer->in->head.bytes) {
        peer->in->done = true;
        peer->in = NULL;
    }
}

static bool read_some(struct peer *peer, int rank) {
    size_t now;
    if (!peer->in) {
        now = moved(peer, recv(peer->file, (char *)&peer->head + peer->head_at,
                               sizeof peer->head - peer->head_at, MSG_DONTWAIT));
        peer->head_at += now;
        if (peer->head_at < sizeof peer->head)
            return now > 0;
        head_read(peer, rank);
    } else {
        now = moved(peer, recv(peer->file, peer->in->data + peer->in->at,
                               peer->in->head.bytes - peer->in->at, MSG_DONTWAIT));
        peer->in->at += now;
    }
    in_end(peer);
    return now > 0;
}

/* True: something has come or gone. The lock is held, or nobody else is left. */
static bool progress(void) {
    bool some = false;
    for (int rank = 0; rank < the_world->ranks; ++rank)
        if (rank != the_world->rank && !peers[rank].gone) {
            some |= write_some(&peers[rank]);
            some |= read_some(&peers[rank], rank);
        }
    return some;
}

static void *pair_send_start(enum dsm_channel channel, int rank, int tag, const void *data,
                             size_t bytes) {
    struct message *message = message_new(rank, (struct head){(int)channel, tag, bytes},
                                          (char *)(bytes ? data : ""), true);
    pthread_mutex_lock(&lock);
    append(&peers[rank].out, message);
    progress();
    pthread_mutex_unlock(&lock);
    return message;
}

/* One that we keep, and that is still coming, is waited for as it is. */
static void *pair_receive_start(enum dsm_channel channel, int rank, int tag, void *data,
                                size_t bytes) {
    struct message *message = message_new(rank, (struct head){(int)channel, tag, bytes},
                                          (char *)(bytes ? data : ""), true);
    pthread_mutex_lock(&lock);
    struct message **early = find(&kept, rank, (int)channel, tag);
    while (*early && !(*early)->done)
        progress();
    if (*early) {
        struct message *other = take(early);
        if (other->head.bytes != bytes)
            the_world->fail(STATUS_ERROR, "a message from rank %d has %zu bytes, not %zu", rank,
                            other->head.bytes, bytes);
        if (bytes) {
            memcpy(data, other->data, bytes);
            free(other->data);
        }
        free(other);
        message->done = true;
    } else {
        append(&receives, message);
    }
    pthread_mutex_unlock(&lock);
    return message;
}

static bool pair_test(void *request) {
    struct message *message = request;
    pthread_mutex_lock(&lock);
    while (!message->done && progress())
        continue;
    bool done = message->done;
    pthread_mutex_unlock(&lock);
    if (done)
        free(message);
    return done;
}

static int pair_unasked(enum dsm_channel channel, int rank) {
    pthread_mutex_lock(&lock);
    progress();
    const struct message *message = *find(&kept, rank, (int)channel, -1);
    int tag = message ? message->head.tag : -1;
    pthread_mutex_unlock(&lock);
    return tag;
}

const struct dsm_transport dsm_transport_mpi_2 = {
    .start = pair_start,
    .finish = pair_finish,
    .end = pair_end,
    .send_start = pair_send_start,
    .receive_start = pair_receive_start,
    .test = pair_test,
    .unasked = pair_unasked,
};
