/*
 * Memory that ranks have parts of, as one line of places: every piece of memory (an allocation, a
 * variable, a row behind a table) has places of its own, one per byte, so that sets of bytes are
 * sets of intervals (sets.h). Places are counted by rank 0's addresses and mean the same on every
 * rank.
 */
#ifndef ORRERY_RUNTIME_PLACES_H
#define ORRERY_RUNTIME_PLACES_H

#include "runtime/execute/sets.h"

/* Memory [low, high) on rank 0 whose bytes have places. */
struct orrery_piece {
    char *low, *high; /* its memory, by the addresses that the loop's array has */
    char *here;       /* low on this rank */
    long origin;      /* its first place */
    long stride;      /* 0: places in the order of addresses. Else what lies so many bytes apart has
                    * places side by side: of a table that is walked down its columns, so that a
                    * column is one interval */
    long element;     /* ... bytes of each then */
    int group;        /* pieces that are sent again together */
    bool constant;    /* the same everywhere already */
    bool apart;       /* `here` is memory of this rank's own */
};

/* Pieces in the order of their addresses, and of their places. */
struct orrery_places {
    long count, room;
    struct orrery_piece *items;
};

/* Adds memory; pieces that overlap become one. Then origins, once all are there. */
void orrery_places_add(struct orrery_places *places, struct orrery_piece piece);
void orrery_places_settle(struct orrery_places *places);
void orrery_places_free(struct orrery_places *places);

/* The piece of an address, NULL: none. */
struct orrery_piece *orrery_places_find(const struct orrery_places *places, const char *address);

/*
 * What a loop does with a piece: `count` elements of `size` bytes, `step` bytes apart, from `first`
 * on. Look at some of them before any is added to a set: it decides how places are counted.
 * orrery_places_count does, once origins are there.
 */
struct orrery_stretch {
    const char *first;
    long step, count, size;
};

void orrery_places_look(struct orrery_places *places, const struct orrery_stretch *stretch);
void orrery_places_count(struct orrery_places *places);

/* Adds a stretch to the set. False: it does not lie in one piece. */
bool orrery_places_take(const struct orrery_places *places, const struct orrery_stretch *stretch,
                        struct orrery_set *set);

/* Adds the places of a piece's bytes [low, high), by rank 0's addresses. */
void orrery_places_range(const struct orrery_piece *piece, const char *low, const char *high,
                         struct orrery_set *set);

/* Adds all elements of a piece to the set. */
void orrery_places_all(const struct orrery_piece *piece, struct orrery_set *set);

/*
 * The set's bytes from where it stands on, [*at, *at + bytes) of them as they follow each other,
 * between this rank's memory and a buffer.
 */
struct orrery_place_walk {
    const struct orrery_places *places;
    const struct orrery_set *set;
    long item, done;
};
size_t orrery_places_move(struct orrery_place_walk *walk, char *buffer, size_t bytes, bool pack);

/*
 * The set's memory on this rank, stretch by stretch; bytes of a piece at most `gap` apart are in
 * one. `whole`: all of such a stretch is in the set. `pieces`: of a piece whose places are not in
 * the order of addresses all of it is one stretch.
 */
void orrery_places_each(const struct orrery_places *places, const struct orrery_set *set, long gap,
                        bool pieces, void (*each)(void *data, char *low, size_t bytes, bool whole),
                        void *data);

/* Ranks above 0: the set's memory becomes usable. */
void orrery_places_commit(const struct orrery_places *places, const struct orrery_set *set);

#endif
