/*
 * Places of the program in 31 bits: those of the program itself as the distance from where it was
 * loaded, those of shared libraries by number, from 2^30 on.
 */
#define _GNU_SOURCE
#include "runtime/accesses/watch.h"

#include <link.h>

enum { LIBRARY_SITES = 1 << 16 };

static uintptr_t sites[LIBRARY_SITES];

/* The first object is the program. */
static int take_first(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    uintptr_t lowest = UINTPTR_MAX;
    for (int i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_vaddr < lowest)
            lowest = info->dlpi_phdr[i].p_vaddr;
    *(uintptr_t *)data = info->dlpi_addr + (lowest == UINTPTR_MAX ? 0 : lowest);
    return 1;
}

static void __attribute__((constructor(101))) find_base(void) {
    dl_iterate_phdr(take_first, &watch.base);
}

/* Number 0 stands for all those for which there is no room. */
uint32_t site_of_library(uintptr_t pc) {
    size_t at = (size_t)((pc * 0x9e3779b97f4a7c15u) >> 48);
    for (int tries = 0; tries < 64; ++tries, at = (at + 1) % LIBRARY_SITES) {
        if (at == 0 || (sites[at] && sites[at] != pc))
            continue;
        sites[at] = pc;
        return SITE_LIBRARY | (uint32_t)at;
    }
    return SITE_LIBRARY;
}

uintptr_t site_address(uint32_t site) {
    return site < SITE_LIBRARY ? watch.base + site : sites[site - SITE_LIBRARY];
}
