/* What a place of the text keeps from one execution of it to the next. */
#ifndef ORRERY_RUNTIME_SITES_H
#define ORRERY_RUNTIME_SITES_H

#include <stddef.h>

/* The first member of what is kept. `at`: the place. */
struct site {
    const void *at;
    struct site *next;
};

/* What that place keeps, among `all`: of so many bytes, zero at first. */
void *orrery_site(struct site **all, const void *at, size_t bytes);

#endif
