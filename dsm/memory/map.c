/* The memory map as the kernel has it, read without allocation. */
#include "dsm/memory/memory.h"
#include "dsm/memory/spill.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct map_reader {
    int file;
    char text[4096];
    size_t used, at;
};

static int map_char(struct map_reader *reader) {
    if (reader->at == reader->used) {
        long got = dsm_clib_read(reader->file, reader->text, sizeof reader->text);
        if (got <= 0)
            return -1;
        reader->used = (size_t)got;
        reader->at = 0;
    }
    return (unsigned char)reader->text[reader->at++];
}

/* Reads hexadecimal digits up to another character, which is given back. */
static int map_number(struct map_reader *reader, uintptr_t *number) {
    *number = 0;
    for (;;) {
        int c = map_char(reader);
        if (c >= '0' && c <= '9')
            *number = *number * 16 + (uintptr_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            *number = *number * 16 + (uintptr_t)(c - 'a' + 10);
        else
            return c;
    }
}

static bool map_line(struct map_reader *reader, uintptr_t *low, uintptr_t *high, int *protection) {
    if (map_number(reader, low) != '-' || map_number(reader, high) != ' ')
        return false;
    *protection = (map_char(reader) == 'r' ? PROT_READ : 0);
    *protection |= (map_char(reader) == 'w' ? PROT_WRITE : 0);
    int c;
    do {
        c = map_char(reader);
    } while (c != '\n' && c >= 0);
    return true;
}

/* Does the kernel's map have all of it, with those of the bits `mask` that are `wanted`? */
static bool map_has(const char *from, const char *to, int mask, int wanted) {
    struct map_reader reader = {.file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)};
    uintptr_t at = (uintptr_t)from, end = (uintptr_t)to, low, high;
    int protection;
    if (reader.file < 0)
        return false;
    while (at < end && map_line(&reader, &low, &high, &protection)) {
        if (low > at)
            break;
        if (high > at) {
            if ((protection & mask) != wanted)
                break;
            at = high;
        }
    }
    close(reader.file);
    return at >= end;
}

static bool has(const char *low, const char *high, int mask, int bits) {
    bool spilled;
    return dsm_spill_wants(low, high, mask, bits, &spilled) ? spilled
                                                            : map_has(low, high, mask, bits);
}

void dsm_protect(const void *low, const void *high, int protection) {
    if (!dsm_spill_protect(low, high, protection)) {
        dsm_fail(DSM_STATUS_ERROR,
                 "cannot change the protection of %p to %p: %s (the limit on mappings, "
                 "/proc/sys/vm/max_map_count, or on memory may be too low)",
                 low, high, strerror(errno));
    }
}

bool dsm_memory_has(const char *low, const char *high, int protection) {
    return has(low, high, protection, protection);
}

bool dsm_memory_sealed(const char *low, const char *high) {
    return has(low, high, PROT_READ | PROT_WRITE, PROT_NONE);
}
