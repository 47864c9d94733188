#define _GNU_SOURCE
#include "runtime/base/heartbeat_line.h"

#include "runtime/base/clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Frames that may be unanswered: a launcher that is stopped takes no more, and is not lost. */
enum { ADDRESSES = 16, UNANSWERED = 8, STATUS_CUT_OFF = 205 };

/* Seconds to connect; from the launcher's end to that of a rank nobody ended. */
#define CONNECT_SECONDS 10.0
#define GONE_SECONDS 5.0

/* `sockets`: while it connects, one for each address, -1 = given up. `socket`: the one that was
 * answered, -1 = none. `gone`: when the launcher closed it, 0 = it has not. */
static struct {
    pthread_mutex_t lock;
    struct orrery_heartbeat_hello hello;
    int sockets[ADDRESSES], count;
    bool greeted[ADDRESSES];
    int socket, unanswered, wanted;
    double begun, gone;
    const char *watch;
} line = {.lock = PTHREAD_MUTEX_INITIALIZER, .socket = -1};

/* The program's own send and recv are wrapped. */
static ssize_t put(int file, const void *data, size_t bytes) {
    return syscall(SYS_sendto, file, data, bytes, MSG_DONTWAIT | MSG_NOSIGNAL, NULL, 0);
}

static ssize_t take(int file, void *data, size_t bytes) {
    return syscall(SYS_recvfrom, file, data, bytes, MSG_DONTWAIT, NULL, NULL);
}

static void option_set(int file, int level, int option, int value) {
    setsockopt(file, level, option, &value, sizeof value);
}

static int connect_start(const struct sockaddr_in *address) {
    int file = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (file < 0)
        return -1;
    option_set(file, IPPROTO_TCP, TCP_NODELAY, 1);
    option_set(file, SOL_SOCKET, SO_KEEPALIVE, 1);
    option_set(file, IPPROTO_TCP, TCP_KEEPIDLE, 1);
    option_set(file, IPPROTO_TCP, TCP_KEEPINTVL, 1);
    if (connect(file, (const struct sockaddr *)address, sizeof *address) == 0 ||
        errno == EINPROGRESS)
        return file;
    close(file);
    return -1;
}

static bool address_read(const char *text, struct sockaddr_in *address) {
    char host[64];
    unsigned port;
    *address = (struct sockaddr_in){.sin_family = AF_INET};
    if (sscanf(text, "%63[0-9.]:%u", host, &port) != 2 || port == 0 || port > 65535)
        return false;
    address->sin_port = htons((uint16_t)port);
    return inet_pton(AF_INET, host, &address->sin_addr) == 1;
}

void orrery_line_open(const char *watch, int rank) {
    const char *at = strchr(watch, '@');
    if (!at || at - watch != ORRERY_HEARTBEAT_TOKEN)
        return;
    line.watch = at + 1;
    line.begun = orrery_clock();
    line.hello =
        (struct orrery_heartbeat_hello){.magic = ORRERY_HEARTBEAT_MAGIC, .rank = (uint32_t)rank};
    memcpy(line.hello.token, watch, ORRERY_HEARTBEAT_TOKEN);
    for (; at && line.count < ADDRESSES; at = strchr(at + 1, ',')) {
        struct sockaddr_in address;
        if (address_read(at + 1, &address))
            line.sockets[line.count++] = connect_start(&address);
    }
}

/* ---- connecting ------------------------------------------------------------------------------ */

static void give_up(int i) {
    close(line.sockets[i]);
    line.sockets[i] = -1;
}

/* Says hello as soon as that goes, and looks for the answer. */
static bool is_answered(int i) {
    char answer;
    int file = line.sockets[i];
    if (file >= 0 && !line.greeted[i]) {
        ssize_t sent = put(file, &line.hello, sizeof line.hello);
        line.greeted[i] = sent == sizeof line.hello;
        if (sent >= 0 && !line.greeted[i])
            give_up(i);
    }
    ssize_t got = line.sockets[i] >= 0 ? take(file, &answer, 1) : -1;
    bool later = got < 0 && (errno == EAGAIN || errno == ENOTCONN || errno == EINPROGRESS);
    if (line.sockets[i] >= 0 && got <= 0 && !later)
        give_up(i);
    return got > 0;
}

static void choose(int chosen) {
    line.socket = line.sockets[chosen];
    option_set(line.socket, IPPROTO_TCP, TCP_USER_TIMEOUT, ORRERY_HEARTBEAT_PATIENCE);
    for (int i = 0; i < line.count; ++i)
        if (i != chosen && line.sockets[i] >= 0)
            give_up(i);
    line.count = 0;
}

static void connect_on(void) {
    bool any = false;
    for (int i = 0; i < line.count; ++i) {
        if (is_answered(i)) {
            choose(i);
            return;
        }
        any |= line.sockets[i] >= 0;
    }
    if (any && orrery_clock() - line.begun < CONNECT_SECONDS)
        return;
    for (int i = 0; i < line.count; ++i)
        if (line.sockets[i] >= 0)
            give_up(i);
    line.count = 0;
    fprintf(stderr,
            "orrery: rank %u: cannot reach orrery run at %s: whether this host is cut off, MPI "
            "alone will say\n",
            line.hello.rank, line.watch);
}

/* ---- connected ------------------------------------------------------------------------------- */

static void leave(const char *what) {
    char text[256];
    int length = snprintf(text, sizeof text, "orrery: rank %u: %s\n", line.hello.rank, what);
    syscall(SYS_write, STDERR_FILENO, text, length);
    _exit(STATUS_CUT_OFF);
}

static void answers_take(void) {
    char answers[UNANSWERED];
    ssize_t got;
    while ((got = take(line.socket, answers, sizeof answers)) > 0) {
        line.unanswered -= (int)got;
        line.wanted = (unsigned char)answers[got - 1];
    }
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got < 0 && errno != ECONNRESET && errno != EPIPE)
        leave("the host of orrery run is cut off");
    line.gone = orrery_clock();
}

static void frame_send(const struct orrery_heartbeat *heartbeat) {
    if (line.unanswered >= UNANSWERED)
        return;
    ssize_t sent = put(line.socket, heartbeat, sizeof *heartbeat);
    if (sent == sizeof *heartbeat)
        ++line.unanswered;
    else if (sent > 0)
        leave("a heartbeat was sent in part");
}

int orrery_line_wanted(void) {
    pthread_mutex_lock(&line.lock);
    int wanted = line.wanted;
    pthread_mutex_unlock(&line.lock);
    return wanted;
}

void orrery_line_beat(const struct orrery_heartbeat *heartbeat) {
    pthread_mutex_lock(&line.lock);
    if (line.count > 0)
        connect_on();
    if (line.socket >= 0 && line.gone == 0)
        answers_take();
    if (line.socket >= 0 && line.gone == 0)
        frame_send(heartbeat);
    else if (line.gone > 0 && orrery_clock() - line.gone > GONE_SECONDS)
        leave("orrery run is gone");
    pthread_mutex_unlock(&line.lock);
}
