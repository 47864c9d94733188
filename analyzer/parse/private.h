/*
 * What the files of the front end share: the state of one translation, from the door's nodes to
 * the unit. Nobody outside of parse*.c and pragma*.c includes this.
 */
#ifndef ORRERY_ANALYZER_PARSE_PRIVATE_H
#define ORRERY_ANALYZER_PARSE_PRIVATE_H

#include "analyzer/diag.h"
#include "analyzer/effects.h"
#include "analyzer/ir.h"
#include "analyzer/lex.h"
#include "analyzer/parse.h"
#include "analyzer/parse/clang_door.h"
#include "analyzer/table.h"

/* ---- a map from addresses to addresses (map.c) ----------------------------------------------- */

/* `values`: in the order in which their keys came; `places`: theirs there. */
struct map {
    int count;
    void **values;
    struct int_table places;
};

void *map_get(const struct map *map, const void *key);
void map_put(struct arena *arena, struct map *map, const void *key, void *value);

/* ---- the state of one translation ------------------------------------------------------------ */

/* Where a variable is assigned: ids of the assigning expressions, ascending. */
struct write_list {
    int count;
    int *at;
};

/* Offsets of the first byte of every line of one file. */
struct line_table {
    int count;
    unsigned *starts;
};

/* libclang's tree on its way to a unit. */
struct translator {
    struct unit *unit;            /* what is made */
    struct arena *arena;          /* the unit's */
    struct door *door;            /* to libclang */
    struct diag_list *diags;      /* what is wrong with the input */
    struct effect_files *effects; /* what functions do that are not seen */
    struct map types, records, fields, variables, functions; /* by libclang's own */
    struct line_table *lines;                                /* per file */
    int nlines;                                              /* of `lines` */
    int ntails;                                              /* of `tails` */
    bool *
        tails; /* per expression id: its last token is written in the main file outside of macros */
    int narguments;          /* of `arguments` */
    struct expr **arguments; /* out of macro arguments, to be verified when all is translated */
    int nvariables;          /* of `variable_list` */
    struct variable **variable_list; /* by id */
    int nwrites;                     /* of `writes` */
    struct write_list *writes;       /* per variable id: where it is assigned */
    struct function *function;       /* the one at hand, NULL: none */
    struct loop *loop, *switch_loop; /* that the walk is in; that the switch at hand stands in */
    int nlabels, ngotos;             /* of `function` */
    struct jump *labels, *gotos;     /* ... */
    const char *inside; /* words for the unknown construct the walk is in, NULL: none */
    bool unevaluated;   /* in the operand of a sizeof: nothing is written or called */
    int depth;          /* expressions and statements around, at most PARSE_MAX_DEPTH */
    int nmarks;         /* of `marks` */
    unsigned *marks;    /* where the main file uses macros that mark loops, not replaced yet */
    int nbodies;        /* of `bodies` */
    struct body_ids {
        int first, last;
    } *bodies; /* per loop id: the expression ids of its body are [first, last) */
};

/* A label or a goto of the function at hand, in `loop` (NULL: in none); NULL name: computed. */
struct jump {
    const char *name;
    struct loop *loop;
};

enum { PARSE_MAX_DEPTH = 1500 };

/* ---- arguments (args.c) ---------------------------------------------------------------------- */

int parse_args_make(struct translator *t, const struct parse_options *options,
                    const char *const **args);
bool parse_args_strict_aliasing(const struct parse_options *options);
/* The user's flags say that signed integers wrap around, the last one counts. */
bool parse_args_signed_wraps(const struct parse_options *options);
/* They make overflow of signed integers end the program, or print. */
bool parse_args_signed_traps(const struct parse_options *options);
/* The user's flags make the compiler obey directives of OpenMP or OpenACC, in part at least. */
bool parse_args_openmp(const struct parse_options *options);
/* The user's flags let compilers add floating-point numbers in another order. */
bool parse_args_reassociates(const struct parse_options *options);

/* ---- places (place.c) ------------------------------------------------------------------------ */

struct loc parse_place_loc(struct translator *t, int file, unsigned offset);
struct range parse_place_range(struct translator *t, struct span span);
const char *parse_place_text(struct translator *t, int file);
/* Sets expr->range from `node`; `tail` says that its last token is known to be direct. */
void parse_place_expr(struct translator *t, struct expr *expr, struct node node, bool tail);
/* Sets stmt->range; `semicolon`: it ends with the next `;` of the text. */
void parse_place_stmt(struct translator *t, struct stmt *stmt, struct node node, bool semicolon);
/*
 * Exact where the text from `begin`, at which `stmt` begins, is a macro's use with the rest of an
 * expression behind it, up to the first semicolon: `AT(i, j) = 0;`.
 */
void parse_place_lead(struct translator *t, struct stmt *stmt, struct node node, unsigned begin);
/* The same for the parts of an `if`, a `while` or the like, which begins at `stmt`'s begin. */
void parse_place_parts(struct translator *t, struct stmt *stmt, const struct node *parts,
                       struct node node);
/* Widens stmt's range to that of a last part, and decides on exactness. */
void parse_place_extend(struct translator *t, struct stmt *stmt, const struct stmt *last);
/* Exact although it begins in a macro, provided that its end is one. */
void parse_place_accept(struct translator *t, struct stmt *stmt);
/* Takes exactness from neighbours that overlap: one macro made both. */
void parse_place_separate(struct stmt **body, int count);
/* Takes it from a statement that `next`, which is no part of it, begins inside of. */
void parse_place_cut(struct stmt *stmt, const struct range *next);
/* Macro arguments: exact where the text is this very expression, used once. */
void parse_place_verify(struct translator *t);

/* ---- macros that bring loops (expand.c) */

/* Bytes [begin, end) of the main file, a use of macro `name`, which stands for `text`. */
struct replacement {
    unsigned begin, end;
    const char *name, *text;
};

/*
 * One try of replacements. `single`: all at once meant something else, so macros are tried one by
 * one. `banned`: macros that are left alone, because the text with them replaced meant something
 * else. `after`: its expansions are those of the new text.
 */
struct expansion_round {
    int count;
    struct replacement *items;
    int nbanned;
    const char **banned;
    bool single;
    struct unit after;
};

/* The main file's text with one more layer of macros replaced; NULL: nothing is left to do. */
const char *parse_expand(struct translator *t, struct expansion_round *round);
/* That text did not mean the same: which to try next. */
void parse_expand_failed(struct translator *t, struct expansion_round *round);

/* ---- names (names.c) */

/* requires: all files known. Finds names of ours and the macros of headers and flags. */
void parse_names_find(struct translator *t, const struct parse_options *options);

/* ---- types (type.c) -------------------------------------------------------------------------- */

const struct type *parse_type_get(struct translator *t, struct ctype type);
/* The type a parameter or a value really has: arrays and functions become pointers. */
const struct type *parse_type_decay(struct translator *t, const struct type *type);
/* The same of a parameter's declared type, with `restrict` of its brackets. */
const struct type *parse_type_param(struct translator *t, struct ctype declared);
const struct field *parse_type_field(struct translator *t, struct node field);

/* ---- lengths of variable arrays (length.c) */

/*
 * Finds the lengths that a type names among `nodes`, the children of its declaration or cast, and
 * hangs them into the type. Returns those that are no constants in a row; NULL: none is evaluated.
 */
struct expr *parse_length_make(struct translator *t, struct ctype type, const struct node *nodes,
                               int count, struct node skip);
/* A length that is more than read: the text evaluates it in its own place only. */
bool parse_length_changes(const struct expr *expr);
/* The same, and functions that it calls. */
bool parse_length_calls(const struct expr *expr);
/* Made of numbers and of variables of the function
 * whose addresses nobody has: no call changes it. */
bool parse_length_is_own(const struct expr *expr);

/* ---- declarations (decl.c) ------------------------------------------------------------------- */

struct variable *parse_variable_get(struct translator *t, struct node node);
struct function *parse_function_get(struct translator *t, struct node node);
/* Returns the lengths that the declaration evaluates before its initializer, or NULL. */
struct expr *parse_variable_init(struct translator *t, struct variable *variable, struct node node);
void parse_decl_top(void *translator, struct node node);
/* True when a declaration has an attribute whose text contains `word`. */
bool parse_decl_has_attribute(struct translator *t, struct node node, const char *word);

/* ---- expressions (expr.c, init.c) ------------------------------------------------------------ */

struct expr *parse_expr_make(struct translator *t, struct node node);
struct expr *parse_expr_unknown(struct translator *t, struct node node, const char *words);
/* `first, second`, which stands nowhere in the text; `second` when `first` is NULL. */
struct expr *parse_expr_then(struct translator *t, struct expr *first, struct expr *second);
struct expr *parse_init_make(struct translator *t, struct node node, const struct type *type);

/* ---- operands that nothing evaluates (operand.c) */

void parse_operand_note(struct translator *t, struct node node, enum operand_kind kind);
/* All of `nodes` but one, which may be no node at all. */
void parse_operand_note_all(struct translator *t, const struct node *nodes, int count,
                            struct node but);

/* ---- what changes variables (change.c) */

/* The variable whose storage an lvalue lies in without going through a pointer, or NULL. */
struct variable *parse_change_root(const struct expr *expr);
/* Expression `id` writes the lvalue. */
void parse_change_write(struct translator *t, const struct expr *lvalue, int id);
/* The write is no movement. */
void parse_change_reset(struct translator *t, const struct expr *lvalue);
/* `p += e`, `p -= e`, `p = p + e`: what p points into stays the same object. */
bool parse_change_moves_itself(const struct expr *expr);
/* The lvalue's address is taken. */
void parse_change_address(struct translator *t, const struct expr *lvalue);
/* A call, whose arguments have been made. */
void parse_change_call(struct translator *t, const struct expr *call);
/* Every variable named below `node` may be read, written and have its address taken; the functions
 * named there become arguments of `named`. */
void parse_change_spoil(struct translator *t, struct node node, struct expr *named);

/* ---- statements and loops (stmt.c, for.c, loop.c) -------------------------------------------- */

struct stmt *parse_stmt_make(struct translator *t, struct node node);
/* A statement expression's block that names values and uses them, as one expression; else NULL.
 * All its expressions become arguments of `unknown`. */
struct expr *parse_named_values(struct translator *t, struct node block, struct expr *unknown);
/* The lengths that the parameters of a function evaluate where it is entered. */
struct stmt *parse_stmt_lengths(struct translator *t, struct expr *lengths);
struct stmt *parse_for_make(struct translator *t, struct node node);
struct stmt *parse_while_make(struct translator *t, struct node node, const struct node *children);
struct stmt *parse_do_make(struct translator *t, struct node node, const struct node *children);
/* A `for` inside of something that is not understood: known to be there, nothing more. */
void parse_for_hidden(struct translator *t, struct node node, const char *words);
/* Jumps (jump.c): a loop that is entered past its header is not canonical. */
void parse_jump_label(struct translator *t, const char *name);
void parse_jump_goto(struct translator *t, const char *name);
void parse_jump_case(struct translator *t);
void parse_jump_resolve(struct translator *t);
/* requires: everything translated. Recognizes canonical headers. */
void parse_loop_recognize(struct translator *t);
/* requires: directives bound. Numbers the loops,
 * of which `while` loops that do not count are none. */
void parse_loop_settle(struct translator *t);

#endif
