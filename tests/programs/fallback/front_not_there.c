/*
 * A private array of which only the end is there: its pointer leads in front of its memory.
 * says: runs serially: the memory in front of what it touches of last is not there
 * one rank
 * marked: the memory of last, which every row of the grid needs a copy of, is not all there
 */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

__attribute__((noinline)) static void keep(double *restrict last, const unsigned *restrict k, int i,
                                           int n) {
#pragma orrery parallel
    for (int j = 0; j < n; j++)
        last[k[i] * 2u + 3u] = j;
}

int main(void) {
    long page = sysconf(_SC_PAGESIZE);
    char *memory = mmap(NULL, 3 * (size_t)page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double *there = (double *)(void *)(memory + page);
    unsigned k[] = {3};
    if (memory == MAP_FAILED || mprotect(there, (size_t)page, PROT_READ | PROT_WRITE))
        return 1;
    keep(there - 9, k, 0, 500);
    keep(there + 1, k, 0, 700);
    printf("%g %g\n", there[0], there[10]);
}
