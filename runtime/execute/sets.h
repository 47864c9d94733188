/*
 * Sets of numbers as intervals that stand in order and do not touch: which bytes of the arrays, by
 * their places (places.h), something reads or writes.
 */
#ifndef ORRERY_RUNTIME_SETS_H
#define ORRERY_RUNTIME_SETS_H

#include <stdbool.h>
#include <stddef.h>

/* [low, high) */
struct orrery_interval {
    long low, high;
};

/* Zero is the empty set. `loose`: intervals were added out of order, and orrery_set_settle puts
 * them in order; all other functions take settled sets. */
struct orrery_set {
    long count, room;
    bool loose;
    struct orrery_interval *items;
};

void orrery_set_add(struct orrery_set *set, long low, long high);
void orrery_set_settle(struct orrery_set *set);
void orrery_set_free(struct orrery_set *set);

/* New sets, owned by the caller. */
struct orrery_set orrery_set_both(const struct orrery_set *a, const struct orrery_set *b);
struct orrery_set orrery_set_without(const struct orrery_set *a, const struct orrery_set *b);

/* a becomes the union; b is empty afterwards. */
void orrery_set_join(struct orrery_set *a, struct orrery_set *b);

/* a becomes what is in it and not in b. */
void orrery_set_remove(struct orrery_set *a, const struct orrery_set *b);

void orrery_set_copy(struct orrery_set *to, const struct orrery_set *from);
bool orrery_set_meets(const struct orrery_set *a, const struct orrery_set *b);
size_t orrery_set_size(const struct orrery_set *set);

#endif
