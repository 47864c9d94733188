/* Memory of the runtime itself; never the global heap. All end the job when there is none left. */
#ifndef ORRERY_RUNTIME_MEMORY_H
#define ORRERY_RUNTIME_MEMORY_H

#include <stddef.h>

/* Anonymous pages, zeroed, large ones on huge pages; `bytes` may be 0. */
char *orrery_memory_map(size_t bytes);
/* The same, for memory of which few pages are touched. */
char *orrery_memory_map_sparse(size_t bytes);
void orrery_memory_unmap(void *memory, size_t bytes);

/* Zeroed, aligned to a cache line; given back with orrery_memory_free. */
void *orrery_memory_aligned(size_t bytes);
void orrery_memory_free(void *memory);

#endif
