/*
 * A switch between hosts of tests/cluster: every port sends with the rate of a link, and every
 * frame arrives a delay later. The kernel at hand need not be able to delay packets. Hosts hand
 * over what they send unsegmented (up to 64 KiB with the kernel's header in front, which goes
 * through as it is), so that a switch in user space is no slower than the links: a frame is
 * delivered when its last byte would be.
 *
 *   link BITS_PER_SECOND DELAY_US NAMESPACE...    a port each: the TAP device eth0 of the namespace
 *
 * Says "ready" when all ports are open, and runs until it is killed.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum {
    PORTS = 8,
    FRAMES = 4096,
    FRAME = 65536 + 64,
    ADDRESS = 6,
    HEADER = 10,
    SEGMENT = 1500,
    AROUND = 92
};

/* A frame that is on the wire, to be delivered at `due`. */
struct frame {
    double due;
    int bytes;
    unsigned char *data;
};

/* `busy`: until then what was sent before is going out. Frames wait in a ring, in order. `address`:
 * the host's, once it has sent something. */
struct port {
    int device;
    double busy;
    unsigned char address[ADDRESS];
    struct frame *ring;
    unsigned first, count;
};

static struct port ports[PORTS];
static int nports;
static double rate, delay;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int device_open(const char *space) {
    char path[256];
    struct ifreq request = {.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR};
    snprintf(path, sizeof path, "/run/netns/%s", space);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || setns(file, CLONE_NEWNET))
        fail(path);
    close(file);
    int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    strcpy(request.ifr_name, "eth0");
    if (device < 0 || ioctl(device, TUNSETIFF, &request) ||
        ioctl(device, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4))
        fail("eth0");
    return device;
}

static unsigned char *frame_copy(const unsigned char *data, int bytes) {
    unsigned char *copy = malloc((size_t)bytes);
    if (!copy)
        fail("a frame");
    return memcpy(copy, data, (size_t)bytes);
}

static void frame_take(struct port *port, const unsigned char *data, int bytes, double due) {
    if (port->count == FRAMES)
        return;
    unsigned at = port->first + port->count++;
    for (; at != port->first && port->ring[(at - 1) % FRAMES].due > due; --at)
        port->ring[at % FRAMES] = port->ring[(at - 1) % FRAMES];
    struct frame *frame = &port->ring[at % FRAMES];
    frame->due = due;
    frame->bytes = bytes;
    frame->data = frame_copy(data, bytes);
}

/* To the host that it is for, or to all others while nobody knows where that is. */
static void forward(int from, const unsigned char *data, int bytes, double gone) {
    int to = -1;
    for (int p = 0; p < nports; ++p)
        if (memcmp(ports[p].address, data + HEADER, ADDRESS) == 0)
            to = p;
    for (int p = 0; p < nports; ++p)
        if (p != from && (to < 0 || p == to))
            frame_take(&ports[p], data, bytes, gone + delay);
}

/* What a frame takes on the wire, cut into packets with the headers of each. */
static double wire_bytes(int bytes) {
    int payload = bytes - HEADER, packets = (payload + SEGMENT - 1) / SEGMENT;
    return payload + (double)(packets - 1) * AROUND;
}

static void port_read(int from) {
    struct port *port = &ports[from];
    unsigned char data[FRAME];
    for (int k = 0; k < 64; ++k) {
        ssize_t bytes = read(port->device, data, sizeof data);
        if (bytes < HEADER + 14)
            return;
        double begin = now();
        port->busy = (port->busy > begin ? port->busy : begin) + wire_bytes((int)bytes) * 8 / rate;
        memcpy(port->address, data + HEADER + ADDRESS, ADDRESS);
        forward(from, data, (int)bytes, port->busy);
    }
}

/* What is due; when the next frame is. */
static double port_deliver(struct port *port, double time) {
    while (port->count && port->ring[port->first].due <= time) {
        struct frame *frame = &port->ring[port->first];
        if (write(port->device, frame->data, (size_t)frame->bytes) < 0)
            return time + 1e-5;
        free(frame->data);
        port->first = (port->first + 1) % FRAMES;
        --port->count;
    }
    return port->count ? port->ring[port->first].due : time + 1;
}

int main(int argc, char **argv) {
    struct pollfd polls[PORTS];
    rate = argc > 2 ? atof(argv[1]) : 0;
    delay = argc > 2 ? atof(argv[2]) * 1e-6 : 0;
    nports = argc - 3;
    if (rate <= 0 || nports < 2 || nports > PORTS) {
        fprintf(stderr, "usage: link BITS_PER_SECOND DELAY_US NAMESPACE NAMESPACE...\n");
        return 2;
    }
    prctl(PR_SET_TIMERSLACK, 1UL);
    for (int p = 0; p < nports; ++p) {
        ports[p].device = device_open(argv[p + 3]);
        ports[p].ring = calloc(FRAMES, sizeof *ports[p].ring);
        polls[p] = (struct pollfd){.fd = ports[p].device, .events = POLLIN};
    }
    puts("ready");
    fflush(stdout);
    for (;;) {
        double time = now(), next = time + 1;
        for (int p = 0; p < nports; ++p) {
            double due = port_deliver(&ports[p], time);
            next = due < next ? due : next;
        }
        double wait = next - now();
        wait = wait > 0 ? wait : 0;
        struct timespec most = {(time_t)wait, (long)((wait - (double)(time_t)wait) * 1e9)};
        ppoll(polls, (nfds_t)nports, &most, NULL);
        for (int p = 0; p < nports; ++p)
            if (polls[p].revents & POLLIN)
                port_read(p);
    }
}
