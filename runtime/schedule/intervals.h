#ifndef ORRERY_RUNTIME_SCHEDULE_INTERVALS_H
#define ORRERY_RUNTIME_SCHEDULE_INTERVALS_H
/* ---- what iterations touch, as intervals ----------------------------------------------------- */

/* Elements [low, high], or a place and its value. */
struct orrery_access_interval {
    long low, high, iteration;
};

/* Two that contradict what a guard asks. */
struct orrery_access_pair {
    struct orrery_access_interval a, b;
};

static inline int orrery_order(long a, long b) {
    return a < b ? -1 : a > b;
}

static inline int orrery_by_low(const void *a, const void *b) {
    const struct orrery_access_interval *x = a, *y = b;
    int first = orrery_order(x->low, y->low);
    int second = first ? first : orrery_order(x->high, y->high);
    return second ? second : orrery_order(x->iteration, y->iteration);
}

static inline int orrery_by_high(const void *a, const void *b) {
    const struct orrery_access_interval *x = a, *y = b;
    int first = orrery_order(x->high, y->high);
    return first ? first : orrery_by_low(a, b);
}

/* Of intervals sorted by where they begin, two of different iterations that meet; empty ones meet
 * none. `reach`: of those so far, the one that reaches furthest; `other`: the same among those of
 * other iterations. */
static inline int orrery_find_meeting(const struct orrery_access_interval *list, long n,
                                      struct orrery_access_pair *found) {
    const struct orrery_access_interval *reach = 0, *other = 0;
    for (long i = 0; i < n; ++i) {
        const struct orrery_access_interval *now = &list[i];
        const struct orrery_access_interval *rival =
            reach && reach->iteration != now->iteration ? reach : other;
        if (now->low > now->high)
            continue;
        if (rival && rival->high >= now->low) {
            *found = (struct orrery_access_pair){*rival, *now};
            return 1;
        }
        if (!reach || now->high > reach->high) {
            other = reach && reach->iteration != now->iteration ? reach : other;
            reach = now;
        } else if (now->iteration != reach->iteration && (!other || now->high > other->high)) {
            other = now;
        }
    }
    return 0;
}

/* Sorted by place: a value that is less than the one before. */
static inline int orrery_find_fall(const struct orrery_access_interval *list, long n,
                                   struct orrery_access_pair *found) {
    for (long i = 1; i < n; ++i)
        if (list[i].high < list[i - 1].high) {
            *found = (struct orrery_access_pair){list[i - 1], list[i]};
            return 1;
        }
    return 0;
}

/* Sorted by value: two places that have one. */
static inline int orrery_find_twice(const struct orrery_access_interval *list, long n,
                                    struct orrery_access_pair *found) {
    for (long i = 1; i < n; ++i)
        if (list[i].high == list[i - 1].high && list[i].low != list[i - 1].low) {
            *found = (struct orrery_access_pair){list[i - 1], list[i]};
            return 1;
        }
    return 0;
}

#endif
