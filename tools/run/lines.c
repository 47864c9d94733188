#define _GNU_SOURCE
#include "tools/run/lines.h"

#include <arpa/inet.h>
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* HELLO_SECONDS: who has not said hello by then is none of ours. QUIET: milliseconds. */
enum { BACKLOG = 1024, HELLO_SECONDS = 10, QUIET = 2000 };

/* ---- start ----------------------------------------------------------------------------------- */

static bool token_make(char token[ORRERY_HEARTBEAT_TOKEN + 1]) {
    unsigned char bytes[ORRERY_HEARTBEAT_TOKEN / 2];
    if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; ++i)
        snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* The port, 0 with errno. */
static unsigned listen_somewhere(int file) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t length = sizeof address;
    if (file < 0 || bind(file, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(file, BACKLOG) != 0 || getsockname(file, (struct sockaddr *)&address, &length) != 0)
        return 0;
    return ntohs(address.sin_port);
}

/* "TOKEN@10.0.0.1:4711,192.168.0.1:4711". False: no address but the machine's own. */
static bool where_write(const char *token, unsigned port, char *where, size_t size) {
    struct ifaddrs *all = NULL;
    size_t used = (size_t)snprintf(where, size, "%s", token);
    char between = '@';
    if (getifaddrs(&all) != 0)
        return false;
    for (const struct ifaddrs *at = all; at; at = at->ifa_next) {
        char text[INET_ADDRSTRLEN];
        if (!at->ifa_addr || at->ifa_addr->sa_family != AF_INET || !(at->ifa_flags & IFF_UP) ||
            at->ifa_flags & IFF_LOOPBACK || used + sizeof text + 8 > size)
            continue;
        const struct sockaddr_in *address = (const struct sockaddr_in *)(const void *)at->ifa_addr;
        inet_ntop(AF_INET, &address->sin_addr, text, sizeof text);
        used += (size_t)snprintf(where + used, size - used, "%c%s:%u", between, text, port);
        between = ',';
    }
    freeifaddrs(all);
    if (between == '@')
        errno = ENONET;
    return between == ',';
}

/* A file for each rank. */
static void files_allow(int ranks) {
    struct rlimit limit;
    rlim_t wanted = (rlim_t)ranks + 256;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted)
        return;
    limit.rlim_cur = wanted < limit.rlim_max ? wanted : limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

bool lines_start(struct lines *lines, int ranks, char *where, size_t size) {
    *lines = (struct lines){.ranks = ranks};
    files_allow(ranks);
    lines->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    unsigned port = listen_somewhere(lines->listener);
    if (port && token_make(lines->token) && where_write(lines->token, port, where, size))
        return true;
    int error = errno;
    lines_end(lines);
    errno = error;
    return false;
}

void lines_end(struct lines *lines) {
    for (int i = 0; i < lines->count; ++i)
        if (lines->items[i].file >= 0)
            close(lines->items[i].file);
    free(lines->items);
    if (lines->listener >= 0)
        close(lines->listener);
    *lines = (struct lines){.listener = -1};
}

/* ---- connections ----------------------------------------------------------------------------- */

static void option_set(int file, int level, int option, int value) {
    setsockopt(file, level, option, &value, sizeof value);
}

static struct line *line_new(struct lines *lines) {
    for (int i = 0; i < lines->count; ++i)
        if (lines->items[i].file < 0 && lines->items[i].rank < 0)
            return &lines->items[i];
    if (lines->count == lines->capacity) {
        int capacity = lines->capacity ? 2 * lines->capacity : 16;
        struct line *items = realloc(lines->items, (size_t)capacity * sizeof *items);
        if (!items)
            return NULL;
        lines->items = items;
        lines->capacity = capacity;
    }
    return &lines->items[lines->count++];
}

static void line_take(struct lines *lines, double now) {
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    int file =
        accept4(lines->listener, (struct sockaddr *)&from, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    for (; file >= 0; file = accept4(lines->listener, (struct sockaddr *)&from, &length,
                                     SOCK_NONBLOCK | SOCK_CLOEXEC)) {
        struct line *line = line_new(lines);
        if (!line) {
            close(file);
            return;
        }
        *line = (struct line){.file = file, .rank = -1, .since = now, .state = LINE_OPEN};
        inet_ntop(AF_INET, &from.sin_addr, line->address, sizeof line->address);
        option_set(file, IPPROTO_TCP, TCP_NODELAY, 1);
        option_set(file, SOL_SOCKET, SO_KEEPALIVE, 1);
        option_set(file, IPPROTO_TCP, TCP_KEEPIDLE, 1);
        option_set(file, IPPROTO_TCP, TCP_KEEPINTVL, 1);
        option_set(file, IPPROTO_TCP, TCP_USER_TIMEOUT, ORRERY_HEARTBEAT_PATIENCE);
    }
}

static void line_close(struct line *line, enum line_state state) {
    close(line->file);
    line->file = -1;
    line->state = state;
}

static bool hello_take(const struct lines *lines, struct line *line) {
    const struct orrery_heartbeat_hello *hello = &line->frame.hello;
    if (hello->magic != ORRERY_HEARTBEAT_MAGIC || hello->rank >= (uint32_t)lines->ranks ||
        memcmp(hello->token, lines->token, ORRERY_HEARTBEAT_TOKEN) != 0)
        return false;
    line->rank = (int)hello->rank;
    return true;
}

/* The kernel's word: ETIMEDOUT and what routers and neighbours say, against an end or a reset. */
static enum line_state state_of(ssize_t got, int error) {
    return got < 0 && error != ECONNRESET && error != EPIPE ? LINE_CUT : LINE_CLOSED;
}

/* One hello or heartbeat. False: there is no more now. */
static bool frame_take(const struct lines *lines, struct line *line) {
    int whole = line->rank < 0 ? (int)sizeof line->frame.hello : (int)sizeof line->frame.heartbeat;
    ssize_t got = recv(line->file, line->frame.bytes + line->got, (size_t)(whole - line->got), 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return false;
    if (got <= 0) {
        line_close(line, state_of(got, errno));
        return false;
    }
    line->got += (int)got;
    if (line->got < whole)
        return false;
    line->got = 0;
    ++line->pending;
    if (line->rank < 0 && !hello_take(lines, line))
        line_close(line, LINE_CLOSED);
    return line->file >= 0;
}

static void answer(struct line *line, int wanted) {
    char bytes[64];
    size_t count = line->pending < (int)sizeof bytes ? (size_t)line->pending : sizeof bytes;
    memset(bytes, wanted, sizeof bytes);
    ssize_t sent = count ? send(line->file, bytes, count, MSG_NOSIGNAL) : 0;
    line->pending -= sent > 0 ? (int)sent : 0;
}

void lines_read(struct lines *lines, double now,
                void (*heard)(void *data, const struct orrery_heartbeat *heartbeat), void *data) {
    if (lines->listener < 0)
        return;
    line_take(lines, now);
    for (int i = 0; i < lines->count; ++i) {
        struct line *line = &lines->items[i];
        bool greeted = line->rank >= 0;
        while (line->file >= 0 && frame_take(lines, line)) {
            if (greeted && line->frame.heartbeat.rank == (uint32_t)line->rank)
                heard(data, &line->frame.heartbeat);
            greeted = true;
        }
        if (line->file >= 0)
            answer(line, lines->wanted);
        if (line->file >= 0 && line->rank < 0 && now - line->since > HELLO_SECONDS)
            line_close(line, LINE_CLOSED);
    }
}

const struct line *lines_of(const struct lines *lines, int rank) {
    for (int i = lines->count - 1; i >= 0; --i)
        if (lines->items[i].rank == rank)
            return &lines->items[i];
    return NULL;
}

/* Milliseconds since the other end's kernel said anything. */
static bool is_quiet(const struct line *line) {
    struct tcp_info info;
    socklen_t length = sizeof info;
    if (line->state != LINE_OPEN)
        return line->state == LINE_CUT;
    return getsockopt(line->file, IPPROTO_TCP, TCP_INFO, &info, &length) == 0 &&
           info.tcpi_last_ack_recv > QUIET && info.tcpi_last_data_recv > QUIET;
}

static bool is_own_address(const char *text) {
    struct sockaddr_in address = {.sin_family = AF_INET};
    inet_pton(AF_INET, text, &address.sin_addr);
    int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool own = file >= 0 && bind(file, (struct sockaddr *)&address, sizeof address) == 0;
    if (file >= 0)
        close(file);
    return own;
}

bool lines_all_cut(const struct lines *lines) {
    const char *first = NULL;
    bool several = false;
    for (int i = 0; i < lines->count; ++i) {
        const struct line *line = &lines->items[i];
        if (line->rank < 0 || line->state == LINE_CLOSED || is_own_address(line->address))
            continue;
        if (!is_quiet(line))
            return false;
        several |= first && strcmp(first, line->address) != 0;
        first = line->address;
    }
    return several;
}
