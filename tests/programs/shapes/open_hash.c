/* Parameters in an open-addressing hash table: the slot depends on what stands in the table already.
 * loop: serial ORR2105|ORR2204|ORR2104|ORR2220
 */
#include <stdint.h>
#include <stdio.h>

#define SLOTS 128
struct slot { uint32_t key; int used; float weight; };
static struct slot table[SLOTS];
static uint32_t feature[300];
static float grad[300];

static struct slot *lookup(uint32_t key) {
    uint32_t h = key * 2654435761u % SLOTS;
    while (table[h].used && table[h].key != key)
        h = (h + 1) % SLOTS;
    table[h].used = 1;
    table[h].key = key;
    return &table[h];
}

int main(void) {
    for (int i = 0; i < 300; i++) feature[i] = (uint32_t)(i * 31 % 77), grad[i] = (float)(i % 9) - 4;
#pragma orrery parallel unordered
    for (int i = 0; i < 300; i++)
        lookup(feature[i])->weight -= 0.01f * grad[i];
    float s = 0;
    for (int i = 0; i < SLOTS; i++) s += table[i].weight * (i % 3);
    printf("%.5f\n", s);
    return 0;
}
