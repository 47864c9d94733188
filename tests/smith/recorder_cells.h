/* Memory as the recorder sees it: cells of eight bytes,
 * each with what every iteration did there. */
#ifndef SMITH_RECORDER_CELLS_H
#define SMITH_RECORDER_CELLS_H

#include <stddef.h>
#include <stdint.h>

enum { SMITH_MOST_STEPS = 512, SMITH_MOST_KEYS = 8 };

/* One iteration: values of the dims the tool chose, and of the keys the program has. */
struct smith_step {
    long dims[SMITH_MOST_KEYS], keys[SMITH_MOST_KEYS];
    int nkeys;
};

/* Two iterations that met, and where. */
struct smith_meeting {
    int first, second;
    uintptr_t at;
};

/* What the claim says of a place and of two iterations. */
struct smith_judge {
    int (*is_private)(uintptr_t at);
    int (*is_reduction)(uintptr_t at, char op);
    int (*is_kept)(const struct smith_step *a, const struct smith_step *b);
};

void cells_clear(void);

/* `op`: the access belongs to a fold with this operator, else 0. */
void cells_touch(uintptr_t at, size_t size, int iteration, int write, char op);

/* The first meeting that the claim does not allow; 0 when there is none. */
int cells_breach(const struct smith_step *steps, const struct smith_judge *judge,
                 struct smith_meeting *met);

/*
 * How the loop could have run, going by what was recorded: "independent", "private", "reduction",
 * "one-key", "two-keys" (unordered loops only), "serial".
 */
const char *cells_could(const struct smith_step *steps, int unordered);

#endif
