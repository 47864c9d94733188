/*
 * What hangs behind the structs of facts.h: the interpretation they came from.
 */
#ifndef ORRERY_ANALYZER_ACCESS_INTERNAL_H
#define ORRERY_ANALYZER_ACCESS_INTERNAL_H

#include "analyzer/access/access.h"

/* What the steps behind the interpretation know of a symbol. */
struct sym_facts {
    struct symbol *symbol; /* what it became in the facts, NULL until asked for (access_symbol) */
    /* The symbol that it is one round of `moves_in` later, -1: none; as of so many symbols. */
    const void *moves_in;
    int moves_to, moves_of;
};

/* facts_collect and the object pass allocate these; the public struct comes first. */
struct facts_behind {
    struct loop_facts facts;      /* what others see */
    const struct trace *trace;    /* what they came from */
    struct int_table guards;      /* index in facts.guards by kind and the ids of two objects */
    int nnamed;                   /* expressions that the texts of guards compute with */
    struct expr **named;          /* ... (guard_computes) */
    struct chosen_places *chosen; /* NULL while choices are not collected (argmin_collect) */
    int nsyms; /* what the steps behind the interpretation know of symbols, by their ids */
    struct sym_facts *syms;  /* ... */
    struct located *located; /* by the references' index; NULL until access_shape_objects */
};

/* `cell`: one element of an array. `bytes`: of the allocation that a pointer leads to the start of,
 * in PARAM symbols; NULL: not known. */
struct object_behind {
    struct object object;
    const struct region *region;
    struct expr *origin; /* what origin_text says, NULL without */
    const struct affine *bytes;
    bool cell;
};

/*
 * Touches of one region that make one object. `begin`, `end`: the bytes of a structure that they
 * reach, 0 when there is one object only. `member`: the array in the structure that they lie in, as
 * an lvalue at the loop's head; NULL when all are at fixed places. `cell`: they all are one element
 * of an array. `parted`: they are to some members of rows, and others of the same rows are touched,
 * too.
 */
struct group {
    int nrefs, *refs;
    long begin, end;
    struct expr *member;
    bool cell, parted;
};

/*
 * Splits the touches of a structure by its members, when all of them are known to stay inside of
 * one (object_members.c). 0: they are not.
 */
int members_split(const struct trace *t, const struct region *region, const struct group *all,
                  struct group **groups);

/*
 * Takes the elements that are written at fixed places, and that nothing else reaches, out of an
 * array's touches (object_cells.c); what is left is `rest`. 0: there are none, or the array serves
 * as well in one piece.
 */
int cells_split(const struct trace *t, const struct region *region, const struct group *all,
                struct group **groups, struct group *rest);

/* The bytes of the array that a touch at a fixed place is of. */
bool cell_place(const struct trace *t, const struct ref *ref, long *begin, long *end);

/*
 * Subscripts of an array of one dimension that are rows and columns of a matrix are split as those
 * behind a pointer are: all of them are offsets then, not each an index inside of the array. True
 * when `group` has such.
 */
bool matrix_open(const struct trace *t, const struct region *region, const struct group *group);

/* Accesses to the object are in this reduction. */
void facts_mark_accesses(const struct trace *t, const struct object *object, int reduction);

/* The symbol's entry, an empty one at first; it stays where it is until another is asked for. */
struct sym_facts *sym_facts(const struct trace *t, const struct sym *sym);

/* For those who locate references, in this room. */
void located_begin(const struct trace *t);
struct located *located_change(const struct trace *t, const struct ref *ref);

#endif
