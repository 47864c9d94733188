/*
 * What functions do whose bodies are not seen: lines of library.effects, whose head explains them,
 * and of files of the user's in the same form.
 */
#ifndef ORRERY_ANALYZER_EFFECTS_H
#define ORRERY_ANALYZER_EFFECTS_H

#include "analyzer/diag.h"
#include "analyzer/ir.h"

/* The kind of a function; what memory it touches is said apart. */
enum effect {
    EFFECT_UNKNOWN,
    EFFECT_PURE,        /* a function of its arguments */
    EFFECT_MEMORY,      /* touches memory that its arguments point to, nothing else */
    EFFECT_RANDOM,      /* a generator with hidden state, or the system's */
    EFFECT_IO,          /* input and output */
    EFFECT_CLOCK,       /* asks the system */
    EFFECT_STATE,       /* keeps something from call to call */
    EFFECT_ALLOCATE,    /* allocates or frees memory */
    EFFECT_EXIT,        /* may end the program, or jump out of the loop */
    EFFECT_UNEVALUATED, /* an answer of the compiler, and nothing is evaluated */
    EFFECT_ASSERT,      /* ends the program when something is already wrong */
    EFFECT_SETJMP
};

/* What else a line says, as a set. */
enum effect_mark {
    EFFECT_LOCAL = 1 << 0,       /* leaves nothing behind but in memory of its arguments */
    EFFECT_INPUT = 1 << 1,       /* of EFFECT_IO: reads */
    EFFECT_OUTPUT = 1 << 2,      /* of EFFECT_IO: writes */
    EFFECT_ENTROPY = 1 << 3,     /* of EFFECT_RANDOM: the system's */
    EFFECT_STATIC = 1 << 4,      /* of EFFECT_STATE: nothing but the last result */
    EFFECT_ENDS = 1 << 5,        /* of EFFECT_EXIT: it ends the program for sure */
    EFFECT_JUMPS = 1 << 6,       /* of EFFECT_EXIT: the program goes on elsewhere */
    EFFECT_TOTAL = 1 << 7,       /* defined for all arguments, and ends */
    EFFECT_SMOOTH = 1 << 8,      /* numbers near each other give such */
    EFFECT_POSITIVE = 1 << 9,    /* never -0.0 */
    EFFECT_KEEPS_ZERO = 1 << 10, /* -0.0 only where an argument is */
    EFFECT_SIGN = 1 << 11,       /* its argument, but for the sign */
    EFFECT_GPU = 1 << 12,        /* CUDA has it, but for long double */
    EFFECT_NEW = 1 << 13,        /* of EFFECT_ALLOCATE: gives back new memory */
    EFFECT_STACK = 1 << 14,      /* of EFFECT_ALLOCATE: of its caller's frame */
    EFFECT_MAPS = 1 << 15,       /* of EFFECT_ALLOCATE: changes the address space */
    EFFECT_CALLS = 1 << 16,      /* calls a function that it is given */
    EFFECT_NUMBERS = 1 << 17     /* what it writes are no addresses */
};

/* A number made of arguments. `op`: OP_NONE is `number` or the parameter, OP_PLUS abs(a), OP_EQ `a`
 * where the parameter is `number`, else `b`. */
struct effect_number {
    enum op op;
    int param; /* of OP_NONE, -1: `number` */
    long number;
    const struct effect_number *a, *b; /* the operands */
};

enum effect_extent {
    EFFECT_ALL,      /* nobody knows how much */
    EFFECT_STRING,   /* up to the NUL */
    EFFECT_ELEMENTS, /* `count` of what the parameter points to */
    EFFECT_BYTES     /* `count` bytes */
};

/* Memory behind a parameter. */
struct effect_touch {
    int param; /* EFFECT_REST: all arguments behind the last parameter */
    bool read, write;
    enum effect_extent extent;
    const struct effect_number *count;
};

/* Parameters that are none: no such thing; all that follow; no stream that is left half-way: a
 * standard one that is written, a file by its name, one that the function opens. */
enum { EFFECT_NONE = -1, EFFECT_REST = -2, EFFECT_SAFE = -3 };

/* One line, about one function or several. */
struct effects {
    enum effect effect;                /* EFFECT_UNKNOWN: what it touches is not told */
    unsigned marks;                    /* of enum effect_mark */
    int nparams;                       /* how many have a name */
    const char **params;               /* their names */
    bool variadic;                     /* more arguments may follow */
    int ntouches;                      /* of touches */
    struct effect_touch *touches;      /* in the order of the clauses */
    const struct effect_number *bytes; /* of memory that it gives back; NULL: not known */
    int frees;                         /* a parameter, EFFECT_NONE */
    int returns;         /* the parameter that it gives back, or an address behind it */
    int stream;          /* of EFFECT_IO: a parameter, EFFECT_SAFE, EFFECT_NONE: another */
    int domain;          /* the parameter that has to lie in low..high, EFFECT_NONE */
    long low, high;      /* where the result is defined */
    const char *instead; /* the function to call in its place, or NULL */
};

/* A function that is declared, and has no body: NULL where nothing is known of it. */
const struct effects *effects_of(const struct function *function);
enum effect effect_of_function(const struct function *function);
/* A function of its arguments, without a body. */
bool effects_pure(const struct function *function);
/* Does its line say all of `marks`? */
bool effects_say(const struct function *function, unsigned marks);
/* free: takes memory back, and does nothing else. */
bool effects_free(const struct function *function);

/* ---- files of lines -------------------------------------------------------------------------- */

/* Files with lines, by the names of functions. */
struct effect_files;

/* One line as text: [begin, end), from line `line` of `file` on. */
struct effect_line {
    const char *file, *begin, *end;
    int line;
};

/* The lines of library.effects. */
struct effect_files *effect_files_new(struct arena *arena);

/* The names of all functions that the files know; returns how many. */
int effect_files_names(const struct effect_files *files, const char *const **names);

/* What the files say of functions of this name, and where (NULL: nobody asks); NULL: nothing. */
const struct effects *effects_find(struct effect_files *files, const char *name,
                                   struct effect_line *where);

/*
 * Files of the user's, which count for the unit's functions without a body. Errors in them, lines
 * that are about another function, and those that contradict a body are said.
 */
struct effect_files *effects_take(struct unit *unit, int nfiles, const char *const *names,
                                  struct diag_list *diags);

/* What they say of this one, as it is declared. */
const struct effects *effects_find_declared(struct effect_files *files,
                                            const struct function *function);

#endif
