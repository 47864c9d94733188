/* Messages and broadcasts of many sizes, tags and threads; the heap's addresses on all ranks. */
#include "tests/dsm/ranks.h"

#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { STEP_BROADCAST, STEP_PAIRS, STEP_THREADS, STEP_HEAP };

static unsigned char byte_at(size_t i, unsigned seed) {
    return (unsigned char)((i * 2654435761u + seed) >> 13);
}

static void fill(unsigned char *data, size_t bytes, unsigned seed) {
    for (size_t i = 0; i < bytes; ++i)
        data[i] = byte_at(i, seed);
}

static bool filled(const unsigned char *data, size_t bytes, unsigned seed) {
    for (size_t i = 0; i < bytes; ++i)
        if (data[i] != byte_at(i, seed))
            return false;
    return true;
}

static void step_broadcast(const void *payload) {
    (void)payload;
    static const size_t sizes[] = {0, 1, 1000, 32768, 32769, (1 << 20) + 7, 20 << 20};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes - tortured; ++i) {
        unsigned char *data = malloc(sizes[i] + 1);
        data[sizes[i]] = 42;
        if (dsm_rank() == 0)
            fill(data, sizes[i], i);
        dsm_broadcast(data, sizes[i]);
        EXPECT(filled(data, sizes[i], i) && data[sizes[i]] == 42);
        free(data);
    }
}

/* Every rank sends to every rank, itself included; tags are received in reverse. */
static void step_pairs(const void *payload) {
    (void)payload;
    enum { TAGS = 8 };
    int ranks = dsm_ranks(), me = dsm_rank(), count = 0;
    struct dsm_request **requests = malloc((size_t)(2 * ranks * TAGS) * sizeof *requests);
    unsigned char **buffers = malloc((size_t)(2 * ranks * TAGS) * sizeof *buffers);
    for (int side = 0; side < 2; ++side) {
        for (int rank = 0; rank < ranks; ++rank) {
            for (int t = 0; t < TAGS; ++t, ++count) {
                int tag = side ? t : TAGS - 1 - t;
                size_t bytes = tag == 0 ? 0 : (size_t)1 << (2 * tag + 3);
                buffers[count] = malloc(bytes + 1);
                if (side == 0) {
                    requests[count] = dsm_receive_start(rank, tag, buffers[count], bytes);
                } else {
                    fill(buffers[count], bytes, (unsigned)(me * 100 + tag));
                    requests[count] = dsm_send_start(rank, tag, buffers[count], bytes);
                }
            }
        }
    }
    for (int i = 0; i < count; ++i) {
        dsm_wait(requests[i]);
        int tag = TAGS - 1 - i % TAGS, rank = i / TAGS;
        size_t bytes = tag == 0 ? 0 : (size_t)1 << (2 * tag + 3);
        EXPECT(i >= ranks * TAGS || filled(buffers[i], bytes, (unsigned)(rank * 100 + tag)));
    }
    for (int i = 0; i < count; ++i)
        free(buffers[i]);
    free(buffers);
    free(requests);
}

static void *ring_thread(void *data) {
    int thread = *(int *)data, ranks = dsm_ranks(), me = dsm_rank();
    unsigned char *out = malloc(100000), *in = malloc(100000);
    for (int i = 0; i < 100; ++i) {
        size_t bytes = (size_t)(i * 997 + thread * 13) % 100000;
        fill(out, bytes, (unsigned)(me + thread + i));
        struct dsm_request *receive =
            dsm_receive_start((me + ranks - 1) % ranks, thread, in, bytes);
        struct dsm_request *send = dsm_send_start((me + 1) % ranks, thread, out, bytes);
        while (!dsm_test(receive))
            sched_yield();
        dsm_wait(send);
        EXPECT(filled(in, bytes, (unsigned)((me + ranks - 1) % ranks + thread + i)));
    }
    free(out);
    free(in);
    return NULL;
}

static void step_threads(const void *payload) {
    (void)payload;
    pthread_t threads[4];
    int numbers[4];
    for (int i = 0; i < 4; ++i) {
        numbers[i] = i;
        EXPECT(pthread_create(&threads[i], NULL, ring_thread, &numbers[i]) == 0);
    }
    for (int i = 0; i < 4; ++i)
        pthread_join(threads[i], NULL);
}

struct block {
    unsigned char *address;
    size_t bytes;
};

static void step_heap(const void *payload) {
    struct block block;
    memcpy(&block, payload, sizeof block);
    EXPECT(dsm_is_shared(block.address));
    dsm_commit(block.address, block.bytes);
    if (dsm_rank() > 0)
        EXPECT(block.address[0] == 0 && block.address[block.bytes - 1] == 0);
    dsm_broadcast(block.address, block.bytes);
    EXPECT(filled(block.address, block.bytes, (unsigned)block.bytes));
}

static step *const steps[] = {step_broadcast, step_pairs, step_threads, step_heap};

/* Freed memory is given up by all ranks, so a new block at its place is zero there. */
static void heap_everywhere(void) {
    if (dsm_ranks() == 1)
        return;
    for (size_t bytes = 5000; bytes < (tortured ? 1000000 : 50000000); bytes *= 3) {
        for (int again = 0; again < 2; ++again) {
            struct block block = {malloc(bytes < 40000 ? 40000 : bytes), bytes};
            fill(block.address, bytes, (unsigned)bytes);
            lead(STEP_HEAP, &block, sizeof block);
            free(block.address);
        }
    }
}

int main(int argc, char **argv) {
    ranks_start(argc, argv);
    unsigned char *payload = malloc(100000);
    lead(STEP_BROADCAST, payload, 100000);
    lead(STEP_PAIRS, payload, 240);
    lead(STEP_THREADS, payload, 241);
    heap_everywhere();
    free(payload);
    return ranks_finish("messages");
}
