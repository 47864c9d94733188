/*
 * Kernels: the body of a loop as C that nvcc and the host compiler read alike, printed from the IR
 * (docs/gpu.md). What cannot be printed refuses the loop (ORR246x).
 *
 *   outline --check, lanes, warp, wide, keep--> struct gpu_kernel --print--> text of a .cu
 */
#ifndef ORRERY_SCHEDULER_GPU_H
#define ORRERY_SCHEDULER_GPU_H

#include "scheduler/outline/outline.h"

/*
 * SERIAL: one thread runs the text as it is. WARP: all lanes of a warp run it, each with its own
 * copies of the variables, which hold the same in all of them; what writes memory is done by lane
 * 0, and loops whose iterations do not conflict are assigned to the lanes.
 */
enum gpu_form { GPU_SERIAL, GPU_WARP };

/*
 * Who runs a row's block. ROW_PER_WARP: the warp, in the form. ROW_BY_LANE_0: its first lane.
 * ROW_PER_LANE: every lane has rows of its own. DEALT: the row's iterations, which do not conflict,
 * are assigned to the lanes of its warp. TILE: of a wavefront, an iteration per lane, each one
 * position behind the one before it.
 */
enum gpu_rows { GPU_ROW_PER_WARP, GPU_ROW_BY_LANE_0, GPU_ROW_PER_LANE, GPU_ASSIGNED, GPU_TILE };

/*
 * A sum in a loop assigned to the lanes: `update` is the one expression that adds to `var`, `op`
 * its operation, `value_type` the type of what is added (NULL: the constant 1).
 */
struct gpu_sum {
    const struct variable *var;
    const struct expr *update, *value;
    const struct type *value_type;
    enum op op;
};

/* A pointer whose element k iteration k of an assigned loop uses, and nothing else of memory;
 * `type`: the element's; `object`: what it points into. */
struct gpu_wide {
    const struct variable *pointer;
    const struct type *type;
    const struct object *object;
    bool written;
};

/* A loop inside that is assigned to the lanes, `wide`: none when its
 * elements do not stand side by side. `filled`: an array of the iteration's own, of which the loop's
 * iteration k does nothing but set element k, by the expression `fill`; NULL: none. */
struct gpu_lanes {
    struct loop *loop;
    int nsums;
    struct gpu_sum *sums;
    int nwide;
    struct gpu_wide *wide;
    const struct variable *filled;
    const struct expr *fill;
};

/*
 * A row that stays in registers: what `pointer` leads to, in the assigned loops `loops`, of which
 * `first` loads it. Those that change it store it, but for the ones in `deferring`. `type`,
 * `object`: as in gpu_wide.
 */
struct gpu_row {
    const struct variable *pointer;
    const struct type *type;
    const struct object *object;
    const struct gpu_lanes *first;
    int nloops, ndeferring;
    const struct gpu_lanes **loops, **deferring;
};

/* Kernels for rows of up to so many numbers (orrery_device.h, ORRERY_WIDTHS). */
enum { GPU_WIDTHS = 6 };

/* A kernel as it was decided (gpu_kernel_make), for those who print it, who get it const. */
struct gpu_kernel {
    const struct outline *job;   /* the loop's outline, which has everything else */
    struct arena *arena;         /* the outline's */
    enum gpu_form form;          /* of the body's statements */
    enum gpu_rows rows;          /* who runs a row */
    int nrecords;                /* structures that the text names, what they are made of first */
    const struct type **records; /* ... */
    int nfunctions; /* the user's functions that the body calls, those that they call first */
    const struct function **functions; /* ... */
    int npointers;                     /* pointers of the environment that the text follows */
    const struct variable **pointers;  /* ... */
    int nlanes;                        /* loops inside that are assigned to the lanes */
    struct gpu_lanes *lanes;           /* ... */
    int nreused;                       /* rows that stay in registers between them */
    struct gpu_row *reused;            /* ... */
    const struct loop
        *measure; /* has as many iterations as those have numbers; NULL: none is kept */
    bool ahead;   /* ... and they are loaded while earlier iterations run */
    int nhead;    /* so many statements of the body's list are its head (head.c) */
    int ncarried; /* variables of the head that the rest uses */
    const struct variable **carried; /* ... */
};

/* A kernel that is being printed, and where the printers are. */
struct gpu_printer {
    const struct gpu_kernel *kernel; /* the kernel */
    const struct outline *job;       /* its loop */
    struct arena *arena;             /* of all texts */
    const struct function *of;       /* the function whose body is printed; NULL: the loop's body */
    const struct gpu_lanes *inside;  /* the assigned loop whose body is printed; NULL: none */
    bool wide;                       /* four iterations of that at a time */
    bool reusing;                    /* with the rows that are kept in registers */
    bool ahead;                      /* the body whose rows have been loaded ahead is printed */
    const struct expr *collecting;   /* the write of a buffered array that is printed; NULL: none */
};

/* ---- check.c: has a kernel words for all of the loop? ---------------------------------------- */

/* Fills records, functions, pointers in; false: refused. requires: form, lanes. */
bool gpu_check(struct gpu_kernel *k, struct outline *job);
/* Refuses, and returns false: a lane has no room for the local variables of a body. */
bool gpu_locals_fit(struct outline *job, struct stmt *body);

/* ---- kernel.c -------------------------------------------------------------------------------- */

/* The text of the loop's kernel. */
void gpu_kernel_print(const struct gpu_kernel *k, struct text *out);
/* C text of a number that tells whether the host's structures are the kernel's. */
const char *gpu_layout_text(const struct outline *job);
/* Locals made of the environment: those that the text names. */
void gpu_locals_print(struct gpu_printer *p, const char *text, struct text *out);
/* What stands above all kernels of a file. */
void gpu_head_print(const struct unit *unit, struct text *out);
/* Has the body a record to read? */
bool gpu_has_record(const struct outline *job);
/* What every function that runs iterations begins with: private variables; the copies of reductions,
 * the scalar ones from `from` and a number, NULL: from the row's copy. */
void gpu_privates_print(struct gpu_printer *p, struct text *out);
void gpu_copies_print(struct gpu_printer *p, const char *from, struct text *out);
/* Variables orrery_sum_J for scalar copies, read from the row's or (`read` false) written there. */
void gpu_totals_print(struct gpu_printer *p, bool read, struct text *out);

/* ---- copies.c ---- */

/* The kernel that folds and merges copies of reductions, where there are any such; what the loop's table of
 * its kernels says of it: `NAME, BITS`. */
void gpu_copies_kernel_print(struct gpu_printer *p, struct text *out);
const char *gpu_copies_words(const struct gpu_printer *p);

/* ---- type.c ---------------------------------------------------------------------------------- */

/* A declaration in the kernel's words; the same without qualifiers at the top. requires: a type
 * that the kernel has words for (check.c). */
const char *gpu_declare(struct gpu_printer *p, const struct type *type, const char *name);
const char *gpu_declare_plain(struct gpu_printer *p, const struct type *type, const char *name);
/* `rating` of `struct rating`; NULL: the type has no name. */
const char *gpu_tag(const struct record *record);
/* The kernel's structures. */
void gpu_records_print(struct gpu_printer *p, struct text *out);
/* A type of integers in C's own words, NULL: it has none. */
const char *gpu_integer(const struct type *type);
/* "i32", "f64" ...: what numbers of the type travel as between lanes, NULL: they do not; and the C
 * type of that. */
const char *gpu_suffix(const struct type *type);
const char *gpu_suffix_type(const char *suffix);
/* C text of the value that changes nothing when folded with `op`. */
const char *gpu_identity(struct arena *arena, enum reduction_op op, const struct type *type);

/* ---- expr.c ---------------------------------------------------------------------------------- */

const char *gpu_expr(struct gpu_printer *p, const struct expr *expr);
/* As it is assigned to something of type `to`: pointers are cast. */
const char *gpu_value(struct gpu_printer *p, const struct expr *expr, const struct type *to);
bool gpu_is_cast(const struct expr *expr, const struct type *to);
const char *gpu_name(struct arena *arena, const struct variable *var);
/* The record's field that holds the value of a read of the body, NULL: none does. */
const struct record_slot *gpu_slot_of(const struct outline *job, const struct expr *expr);
/* The number of the buffered array that the expression of the body writes, -1: of none. */
int gpu_buffer_of(const struct outline *job, const struct expr *expr);
/* Is it a constant of type long double, rounded at once? */
bool gpu_is_rounded(const struct expr *cast);

/* ---- call.c ---------------------------------------------------------------------------------- */

/* A function without a body: CUDA has it, or it is a constant there (what it is printed as). */
bool gpu_is_common(const struct function *f);
const char *gpu_constant(const struct expr *call);
const char *gpu_call(struct gpu_printer *p, const struct expr *call);
/* The user's functions that the kernel calls. */
void gpu_functions_print(struct gpu_printer *p, struct text *out);

/* ---- stmt.c ---------------------------------------------------------------------------------- */

void gpu_stmt_print(struct gpu_printer *p, const struct stmt *stmt, enum gpu_form form, int indent,
                    struct text *out);
/* `T name = init;` */
const char *gpu_declaration(struct gpu_printer *p, const struct variable *var);
/* The statement without what cuts it (wave.c); a body of another one, in braces that stand. */
void gpu_stmt_whole_print(struct gpu_printer *p, const struct stmt *stmt, enum gpu_form form,
                          int indent, struct text *out);
void gpu_nested_print(struct gpu_printer *p, const struct stmt *stmt, enum gpu_form form,
                      int indent, struct text *out);
/* `// mf.c:31` */
const char *gpu_place(struct gpu_printer *p, struct range range);
/* The sum of an assigned loop that the expression adds to; NULL: none. */
const struct gpu_sum *gpu_sum_of(const struct gpu_lanes *lanes, const struct expr *expr);

/* ---- wide.c ---------------------------------------------------------------------------------- */

/* Dealt loops of which a lane takes four iterations at a time, elements by 16 bytes: the
 * pointers, none when the loop is not of that kind; an element as it is held; what
 * stands in front of the four and behind them. */
void gpu_wide_find(struct gpu_kernel *k, struct gpu_lanes *lanes);
const char *gpu_wide_text(struct gpu_printer *p, const struct expr *expr);
void gpu_wide_open(struct gpu_printer *p, const struct gpu_lanes *lanes, int in, struct text *out);
void gpu_wide_close(struct gpu_printer *p, const struct gpu_lanes *lanes, int in, struct text *out);

/* ---- reuse.c --------------------------------------------------------------------------------- */

/* Rows that stay in registers between assigned loops: which; their number in k->kept, -1: not in
 * this loop; does the loop store the row, whose loop it is; are objects known not to overlap; what
 * the kernel's comment says; their declarations in front of their first loop; how many numbers they
 * have; the kernel's entries, one for each width. */
void gpu_reuse_find(struct gpu_kernel *k);
int gpu_row_of(const struct gpu_kernel *k, const struct gpu_lanes *lanes,
               const struct variable *pointer);
bool gpu_row_stores(const struct gpu_row *row, const struct gpu_lanes *lanes);
/* The expression, which stands in `parent`, reads or sets memory: not an address, nor an array in front
 * of a subscript. */
bool gpu_is_load(const struct expr *expr, const struct expr *parent);
/* It makes the access: it is its text, or the call that leads there. */
bool gpu_makes(const struct expr *expr, const struct access *access);
bool gpu_are_apart(struct gpu_kernel *k, const struct object *a, const struct object *b);
const char *gpu_reuse_words(const struct gpu_kernel *k);
void gpu_reuse_declare(struct gpu_printer *p, const struct gpu_lanes *lanes, int in,
                       struct text *out);
void gpu_numbers_print(struct gpu_printer *p, struct text *out);
void gpu_entries_print(struct gpu_printer *p, const char *layout, struct text *out);

/* ---- ahead.c --------------------------------------------------------------------------------- */

/* Rows that are loaded while earlier iterations run: are all that are kept? The functions that run
 * a block so; the call, in a row's text; what a number of every row takes together, in words of 4
 * bytes. */
void gpu_ahead_find(struct gpu_kernel *k);
void gpu_ahead_print(struct gpu_printer *p, struct text *out);
const char *gpu_ahead_values(const struct gpu_printer *p);
const char *gpu_ahead_group(const struct gpu_printer *p);
const char *gpu_ahead_call(const struct gpu_printer *p, const char *indent);
long gpu_ahead_words(const struct gpu_kernel *k);

/* ---- head.c ---------------------------------------------------------------------------------- */

/* How much of the body each lane may run for an iteration of its own, before the warp goes through
 * the rest of 32 of them; both texts; what stands around the first and in front of the second
 * (`index`: the iteration's number and record, made of `orrery_i`). */
void gpu_head_find(struct gpu_kernel *k);
const char *gpu_head_text(struct gpu_printer *p);
const char *gpu_rest_text(struct gpu_printer *p);
void gpu_heads_print(struct gpu_printer *p, const char *head, const char *index, struct text *out);

/* ---- wave.c ---------------------------------------------------------------------------------- */

/* Wavefronts. The part of the loop's body that the statement is, NULL: it is not cut; its text;
 * what stands in front of the body of an iteration; who runs the tiles. */
const struct wave_part *gpu_wave_part(const struct outline *job, const struct stmt *stmt);
void gpu_wave_print(struct gpu_printer *p, const struct wave_part *part, int indent,
                    struct text *out);
const char *gpu_wave_places(struct gpu_printer *p);
void gpu_wave_rows_print(struct gpu_printer *p, struct text *out);
/* Numbers that a wavefront is folded into: any order gives their bits, so each lane of a tile has its own of
 * a row. The lanes' pointers to them, `declared` or handed over; what stands in front of a row and
 * behind it. */
bool gpu_takes_any_order(const struct outline *job);
const char *gpu_tile_totals(struct gpu_printer *p, bool declared);
void gpu_tile_totals_print(struct gpu_printer *p, bool begin, struct text *out);
/* Where the part's statement stands, in values of its loop's variable. */
const struct affine *gpu_wave_place(const struct wave_part *part);

/* ---- warp.c ---------------------------------------------------------------------------------- */

/* Can the body run in the form WARP? */
bool gpu_warp_fits(const struct gpu_kernel *k);
/* Does evaluating the expression write memory (or might it)? At its top: all else writes none. */
bool gpu_writes(const struct gpu_kernel *k, const struct expr *expr);
bool gpu_is_store(const struct gpu_kernel *k, const struct expr *expr);
/* A loop that writes memory and changes no variable of the other lanes: one lane runs it as it
 * stands, without a meeting for every store. */
bool gpu_is_alone(const struct gpu_kernel *k, const struct stmt *loop);

/* ---- lanes.c, lanes_print.c ------------------------------------------------------------------ */

/* Which loops inside may be assigned to the lanes, and their text. */
void gpu_lanes_find(struct gpu_kernel *k);
const struct gpu_lanes *gpu_lanes_of(const struct gpu_kernel *k, const struct loop *loop);
void gpu_lanes_print(struct gpu_printer *p, const struct gpu_lanes *lanes, int indent,
                     struct text *out);

#endif
