/*
 * Memory of a rank that parts pass through: pages of parts that have left go back to the system,
 * but for as many as the protocol lets a rank keep (docs/dsm-protocol.md, "Part"). The argument
 * `own`: every rank has its own pages, else those of a host share them.
 */
#include "tests/dsm/check.h"
#include "tests/dsm/ranks.h"

#include <string.h>

enum { STEP_NEW, STEP_LEAVE, STEP_ROUNDS, STEP_END };

#define MIB (1L << 20)
#define PARTS 24
#define PART_BYTES (8 * MIB)
#define ROW_BYTES 4096
#define ROWS (PART_BYTES / ROW_BYTES * PARTS)

/* What a rank keeps of parts that are gone, and what messages and the allocator may take. */
#define KEPT (64 * MIB)
#define SLACK (12 * MIB)

static struct dsm_array *array;
static char *home;
static long empty;

static long status_of(const char *field) {
    char line[256];
    long kilobytes = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (strncmp(line, field, strlen(field)) == 0)
            kilobytes = strtol(line + strlen(field), NULL, 10);
    EXPECT(status && fclose(status) == 0 && kilobytes > 0);
    return kilobytes * 1024;
}

/* The most from now on. */
static void peak_reset(void) {
    FILE *refs = fopen("/proc/self/clear_refs", "w");
    EXPECT(refs && fputs("5", refs) >= 0 && fclose(refs) == 0);
}

static char *part_at(long part) {
    return dsm_array_base(array) + part * PART_BYTES;
}

static void fill(long part, int value) {
    memset(part_at(part), value, PART_BYTES);
}

static void step_new(const void *payload) {
    long cuts[PARTS + 1];
    int owner[PARTS];
    memcpy(&home, payload, sizeof home);
    for (int p = 0; p <= PARTS; ++p)
        cuts[p] = ROWS / PARTS * p;
    for (int p = 0; p < PARTS; ++p)
        owner[p] = 1;
    empty = status_of("VmRSS:");
    array = dsm_array_new(&(struct dsm_layout){.name = "W",
                                               .mode = DSM_VIEW,
                                               .base = home,
                                               .nrows = ROWS,
                                               .row_stride = ROW_BYTES,
                                               .pieces = 1,
                                               .piece_bytes = ROW_BYTES,
                                               .piece_stride = ROW_BYTES,
                                               .element_size = 1,
                                               .nparts = PARTS,
                                               .cuts = cuts,
                                               .owner = owner,
                                               .written = true,
                                               .travels = true});
    dsm_array_distribute(array);
}

/* All parts leave rank 1, which had them all. */
static void step_leave(const void *payload) {
    (void)payload;
    long full = status_of("VmRSS:");
    EXPECT(dsm_rank() == 0 || full - empty >= PARTS * PART_BYTES);
    for (int p = 0; p < PARTS; ++p)
        dsm_wait(dsm_rank() ? dsm_part_send(array, p, 0, p) : dsm_part_receive(array, p, 1, p));
    EXPECT(dsm_rank() == 0 || status_of("VmRSS:") - empty <= KEPT + SLACK);
}

/* Every part comes to rank 1, is written there,
 * and goes again: never more than is kept, and two. */
static void step_rounds(const void *payload) {
    (void)payload;
    peak_reset();
    for (int p = 0; p < PARTS; ++p) {
        if (dsm_rank() == 0) {
            dsm_wait(dsm_part_send(array, p, 1, p));
            dsm_wait(dsm_part_receive(array, p, 1, p));
            EXPECT(part_at(p)[PART_BYTES - 1] == p + 1);
        } else {
            dsm_wait(dsm_part_receive(array, p, 0, p));
            fill(p, p + 1);
            dsm_wait(dsm_part_send(array, p, 0, p));
        }
    }
    EXPECT(dsm_rank() == 0 || status_of("VmHWM:") - empty <= KEPT + 2 * PART_BYTES + SLACK);
}

static void step_end(const void *payload) {
    (void)payload;
    dsm_array_settle(array);
    EXPECT(dsm_check() == NULL);
}

static step *const steps[] = {step_new, step_leave, step_rounds, step_end};

int main(int argc, char **argv) {
    dsm_share_pages(!(argc > 1 && strcmp(argv[1], "own") == 0));
    ranks_start(1, argv);
    EXPECT(dsm_ranks() == 2);
    char *memory = malloc(PARTS * PART_BYTES);
    memset(memory, 1, PARTS * PART_BYTES);
    lead(STEP_NEW, &memory, sizeof memory);
    lead(STEP_LEAVE, NULL, 0);
    lead(STEP_ROUNDS, NULL, 0);
    lead(STEP_END, NULL, 0);
    dsm_array_release(array);
    for (int p = 0; p < PARTS; ++p)
        EXPECT(memory[p * PART_BYTES + 5] == p + 1);
    return ranks_finish("resident");
}
