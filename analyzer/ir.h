/*
 * The analyzer's intermediate form of a C translation unit: what the clang door hands to everyone
 * else. No clang type appears here. All memory belongs to the unit's arena.
 *
 *   text --parse--> struct unit { files, functions, globals, loops }
 */
#ifndef ORRERY_ANALYZER_IR_H
#define ORRERY_ANALYZER_IR_H

#include "analyzer/arena.h"

#include <stdbool.h>
#include <stdint.h>

struct effects;

/* ---- places ---------------------------------------------------------------------------------- */

/*
 * One text file of the unit. `name` as the compiler would print it. `text` is its whole content
 * (NUL-terminated, `size` bytes); set for the main file and for every file a place was reported in.
 */
struct source_file {
    const char *name;
    const char *text;
    size_t size;
};

/* A `#define` or `#undef` of the main file, or a `#define` of a header of the user's or of a flag,
 * at offset 0. `text`: what follows the name, parameters first; NULL: undefined. */
struct macro_place {
    const char *name, *text;
    bool has_parameters;
    unsigned offset;
};

/* From `line` of the main file on lines have other numbers (#line): `number` is the first, of
 * `file`.
 */
struct line_mark {
    int line, number;
    const char *file;
};

/* A place: index into unit->files (-1 = none), 1-based line and column (bytes), byte offset. */
struct loc {
    int file;
    int line, column;
    unsigned offset;
};

/*
 * The bytes [begin.offset, end.offset) of one file. `exact` means: these bytes spell just this
 * construct, once, in the user's text (macro *arguments* count, text inside macro bodies does not),
 * so an edit may replace them. When not exact, begin is still the best place to show to a person
 * (the expansion).
 */
struct range {
    struct loc begin, end;
    bool exact;
    bool in_macro; /* some part of it comes out of a macro expansion */
};

static inline bool range_holds(const struct range *outer, const struct range *inner) {
    return inner->begin.file == outer->begin.file && inner->begin.offset >= outer->begin.offset &&
           inner->end.offset <= outer->end.offset;
}

/* The same of its beginning alone. */
static inline bool range_holds_start(const struct range *outer, const struct range *inner) {
    return inner->begin.file == outer->begin.file && inner->begin.offset >= outer->begin.offset &&
           inner->begin.offset < outer->end.offset;
}

/* ---- types ----------------------------------------------------------------------------------- */

enum type_kind {
    TYPE_VOID,
    TYPE_BOOL,
    TYPE_INT, /* all integer and enum types, char included */
    TYPE_FLOAT,
    TYPE_POINTER,
    TYPE_ARRAY, /* constant bound */
    TYPE_VLA,
    TYPE_STRUCT,
    TYPE_UNION,
    TYPE_FUNCTION,
    TYPE_OTHER /* complex, vector, ...: opaque */
};

struct record;
struct expr;

/*
 * A canonical type (typedefs resolved). Equal types are the same pointer within a unit where clang
 * gives them the same canonical spelling.
 */
struct type {
    enum type_kind kind; /* which of the fields below mean something */
    long size;           /* bytes; -1 when incomplete or variable */
    bool is_signed;      /* INT only */
    bool is_const, is_volatile, is_restrict, is_atomic; /* qualifiers of this level */
    const struct type *element;   /* pointer: pointee; array: element; function: result */
    long count;                   /* TYPE_ARRAY: elements */
    const struct expr *vla_count; /* TYPE_VLA: the bound's expression, NULL when not seen */
    const struct record *record;  /* struct, union; NULL when incomplete */
    const char *spelling;   /* as C, canonical, e.g. "struct rating", "float *", "float (*)[4]" */
    const char *local_name; /* as the user spelled it where first seen, for emitted text */
    bool is_local;          /* names a type declared inside a function: not visible at file scope */
};

/* Of one kind, size and sign: for numbers, the same values in the same bytes. NULL is like none. */
static inline bool type_is_alike(const struct type *a, const struct type *b) {
    return a && b && a->kind == b->kind && a->size == b->size && a->is_signed == b->is_signed;
}

static inline bool type_is(const struct type *type, enum type_kind kind) {
    return type && type->kind == kind;
}

static inline bool type_is_number(const struct type *type) {
    return type_is(type, TYPE_INT) || type_is(type, TYPE_FLOAT);
}

static inline bool type_is_array(const struct type *type) {
    return type_is(type, TYPE_ARRAY) || type_is(type, TYPE_VLA);
}

/* An operand of it makes the other one unsigned, too (C 6.3.1.8). */
static inline bool type_is_wide_unsigned(const struct type *type, const struct type *other) {
    return type->kind == TYPE_INT && !type->is_signed && type->size >= 4 &&
           type->size >= other->size;
}

/* A value of it is an address. */
static inline bool type_is_address(const struct type *type) {
    return type_is(type, TYPE_POINTER) || type_is_array(type);
}

static inline bool type_is_same_number(const struct type *a, const struct type *b) {
    return type_is_number(a) && type_is_alike(a, b);
}

struct field {
    const char *name; /* NULL for an anonymous struct or union member */
    const struct type *type;
    long offset_bits;
    int bit_width; /* -1: not a bit-field */
};

struct record {
    const char *tag; /* "struct rating", or the typedef's name when anonymous */
    bool is_union;
    int nfields;
    const struct field *fields;
};

/* ---- variables and functions ----------------------------------------------------------------- */

enum storage { STORAGE_LOCAL, STORAGE_PARAM, STORAGE_STATIC_LOCAL, STORAGE_STATIC, STORAGE_GLOBAL };

struct function;
struct stmt;

/* One declared variable or parameter. `writes`: number of places in the unit that assign it
 * (initialiser not counted). */
struct variable {
    const char *name;          /* as in the text */
    const struct type *type;   /* as declared */
    enum storage storage;      /* local, static, parameter, global */
    struct function *function; /* NULL at file scope */
    int param_index;           /* STORAGE_PARAM: 0-based */
    struct range range;        /* of the declaration */
    struct expr *init;         /* its initialiser, NULL: none */
    /* `&x` occurs anywhere in the unit, or an array that decays outside of a subscript */
    bool address_taken;
    bool is_extern;     /* declared here, defined elsewhere (as far as this unit shows) */
    bool is_redeclared; /* another declaration stands in front of the one at `range` */
    bool is_alias;      /* known by another name to the linker: may be what another variable is */
    int writes, resets; /* writes other than `p++`, `p += e`: those may lead elsewhere */
    /* `changed`: the last expression that writes it or takes its address; `addresses`, `lent`: how
     * often that is taken, and of these how often for a reader of input only */
    int changed, addresses, lent;
    const struct loop *declared_by;  /* for (int x = ...): that loop, where it counts with it */
    const struct variable *entry_of; /* not NULL: what that variable holds where the loop begins */
    int id;                          /* unique in the unit */
};

/* A type, an enum's constant or (`is_function`) a function that a statement declares, which begins
 * at `offset` of its file. */
struct local_name {
    const char *name;
    unsigned offset;
    bool is_function;
};

/* What is asked of a variable that stands in an operand which nothing evaluates. */
enum operand_kind {
    OPERAND_TYPE,
    OPERAND_ALIGNMENT, /* of the variable itself, which may have one of its own */
    OPERAND_OBJECT     /* how large what it leads to is, as far as the compiler can tell */
};

/* A name in such an operand; its range is exact where it is spelled in the main file. */
struct operand {
    const struct variable *var;
    struct range range;
    enum operand_kind kind;
};

/* `body` is NULL where the function is defined elsewhere; `symbol` is set when it came out of
 * another file, `origin`: what an object with this definition defines (import.h). `is_replaceable`:
 * weak, an alias, or known by another name to the linker; `is_weak`: another definition may take
 * the place of this one; `is_alias`: another name of some function, or another one for each call
 * (ifunc). */
struct function {
    const char *name;               /* as in the text */
    int nlocal_names;               /* what its statements declare beside variables */
    struct local_name *local_names; /* in the order of the text */
    int noperands;                  /* of `operands` */
    struct operand *operands;       /* names in its body that nothing evaluates */
    const struct type *result;      /* void where it gives nothing */
    int nparams;                    /* of `params` */
    struct variable **params;       /* in order */
    struct stmt *body;              /* NULL: defined elsewhere */
    bool is_static, is_variadic, is_pure, is_const, is_noreturn, is_replaceable, is_weak, is_alias,
        is_hidden; /* static in another file, so that no name leads to it */
    /* `apart_code`, `apart`: the other file's definition cannot be used, and why */
    const char *symbol, *origin, *apart_code, *apart;
    struct range range;            /* of the whole definition, incl. storage class and attributes */
    bool is_redeclared;            /* another declaration stands in front of the definition */
    int id;                        /* index in unit->functions */
    int nnamed;                    /* how often the text calls it or takes its address */
    bool is_entry;                 /* runs without being named: a constructor, a destructor */
    const struct effects *effects; /* what is known of it without its body (effects.h), or NULL */
};

/* ---- expressions ----------------------------------------------------------------------------- */

enum expr_kind {
    EXPR_INT,      /* integer or character constant, enum constant, constant sizeof: `int_value` */
    EXPR_FLOAT,    /* `text` is the literal as spelled */
    EXPR_STRING,   /* `text` as spelled */
    EXPR_VAR,      /* `var` */
    EXPR_FUNCTION, /* a function's name; `function` */
    EXPR_UNARY,    /* op in "+-~!"; args[0] */
    EXPR_DEREF,    /* *args[0] */
    EXPR_ADDRESS,  /* &args[0] */
    EXPR_BINARY,   /* arithmetic, bitwise, shift, comparison; args[0..1] */
    EXPR_AND,      /* && */
    EXPR_OR,       /* || */
    EXPR_CONDITIONAL, /* args[0] ? args[1] : args[2]; the GNU `a ?: b` has args[1] == NULL */
    EXPR_COMMA,
    EXPR_ASSIGN,    /* args[0] op= args[1]; op OP_NONE for plain `=` */
    EXPR_INCREMENT, /* ++ or --: `delta` +1/-1, `prefix`; args[0] */
    EXPR_SUBSCRIPT, /* args[0][args[1]]: args[0] is always the pointer or array side */
    EXPR_MEMBER,    /* args[0].field; `p->f` is EXPR_MEMBER over EXPR_DEREF with `arrow` set */
    /* explicit casts only; `type` is the target, args[1] what lengths in it evaluate, if they do.
     * Implicit conversions are left out */
    EXPR_CAST,
    EXPR_CALL,     /* `function` or NULL with args[0] the callee expression; then the arguments */
    EXPR_SIZEOF,   /* not constant (VLA); of a type: `text` as spelled, args[0] what it evaluates */
    EXPR_INIT,     /* { ... }; args in order of position, NULL where nothing was given */
    EXPR_COMPOUND, /* (type){ ... }; args[0] is EXPR_INIT */
    /* anything else; `text` says what in words ("a statement expression"), args: its expressions as
     * far as they are understood, and EXPR_FUNCTION for what may be called besides */
    EXPR_UNKNOWN
};

enum op {
    OP_NONE,
    OP_ADD,
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_REM,
    OP_SHL,
    OP_SHR,
    OP_BITAND,
    OP_BITOR,
    OP_BITXOR,
    OP_LT,
    OP_GT,
    OP_LE,
    OP_GE,
    OP_EQ,
    OP_NE,
    OP_PLUS,
    OP_MINUS,
    OP_NOT,
    OP_BITNOT
};

struct expr {
    enum expr_kind kind;       /* says which of the fields below mean something */
    enum op op;                /* UNARY, BINARY, ASSIGN; else OP_NONE */
    const struct type *type;   /* of its value */
    struct range range;        /* of its text; exact: it is written there */
    int nargs;                 /* of `args` */
    struct expr **args;        /* EXPR_CALL through a name: the arguments only */
    long long int_value;       /* INT */
    const char *text;          /* as spelled, where the kind says so; else NULL */
    struct variable *var;      /* VAR; else NULL */
    struct function *function; /* FUNCTION, and CALL through a name; else NULL */
    const struct field *field; /* MEMBER; else NULL */
    bool arrow, prefix;        /* MEMBER: by `->`; INCREMENT: in front of its operand */
    int delta;                 /* INCREMENT: 1 or -1 */
    int id;                    /* unique in the unit; indexes side tables of the passes */
    unsigned hash;             /* of what expr_equal compares; 0: not computed yet (expr_measure) */
    int size; /* operators and operands as a tree, at most EXPR_SIZE_MOST; 0: as above */
};

/* Sizes of expressions end here: shared parts count each time, so that they can grow fast. */
enum { EXPR_SIZE_MOST = 1 << 28 };

/* ---- statements ------------------------------------------------------------------------------ */

enum stmt_kind {
    STMT_EMPTY,
    STMT_EXPR,   /* expr */
    STMT_DECL,   /* expr: what lengths in the types evaluate first, or NULL; vars */
    STMT_BLOCK,  /* body[] */
    STMT_IF,     /* expr, then, other (may be NULL) */
    STMT_FOR,    /* loop */
    STMT_WHILE,  /* expr, then */
    STMT_DO,     /* then, expr */
    STMT_SWITCH, /* expr, then */
    STMT_CASE,   /* expr (NULL: default), then */
    STMT_BREAK,
    STMT_CONTINUE,
    STMT_RETURN, /* expr may be NULL */
    STMT_GOTO,
    STMT_LABEL,  /* text; LABEL: then */
    STMT_UNKNOWN /* text says what ("inline assembly") */
};

struct loop;

struct stmt {
    enum stmt_kind kind;       /* says which of the fields below mean something */
    struct range range;        /* the trailing `;` included */
    struct expr *expr;         /* NULL: there is none */
    struct stmt *then, *other; /* NULL: there is none */
    int nbody;                 /* of `body` */
    struct stmt **body;        /* BLOCK: in order */
    int nvars;                 /* of `vars` */
    struct variable **vars;    /* DECL: that it declares */
    struct loop *loop;         /* FOR, WHILE, DO */
    const char *text;          /* LABEL: its name; UNKNOWN: what it is, in words; else NULL */
};

/* ---- loops ----------------------------------------------------------------------------------- */

struct pragma;

enum loop_form { LOOP_FOR, LOOP_WHILE, LOOP_DO };

/* One loop, in the order of the text. The header is kept as written (init, cond, step) and, when it
 * is canonical, also as for (variable = lower; variable `relation` upper; variable += step) with
 * `step` a non-zero constant. `lower` NULL: the header does not set the variable. */
struct loop {
    enum loop_form form;        /* the word it begins with */
    struct stmt *stmt;          /* the STMT_FOR, STMT_WHILE or STMT_DO */
    struct function *function;  /* that it stands in */
    struct loop *parent;        /* the enclosing loop of unit->loops, NULL at depth 1 */
    struct loop *around;        /* the enclosing loop of the text, which may be an uncounted one */
    int depth;                  /* 1 = outermost in its function */
    struct stmt *init;          /* STMT_DECL, STMT_EXPR or NULL */
    struct expr *cond, *next;   /* of the header, NULL: empty */
    struct stmt *body;          /* what it repeats */
    struct range header;        /* `for` up to and with the closing parenthesis */
    bool canonical;             /* it counts: `variable` to `step` are set */
    const char *why_not;        /* NULL where it is canonical */
    struct variable *variable;  /* that counts; NULL: not canonical */
    bool declares_variable;     /* for (int i = ...) */
    struct expr *lower, *upper; /* the first value; what the condition compares with */
    enum op relation;           /* OP_LT, OP_LE, OP_GT, OP_GE, OP_NE */
    long step, ahead;           /* added per iteration; see `steps_in_body` */
    /* `stride`: the step is this expression, with the sign of `step`; NULL: it is `step`.
     * `positive`: `upper` takes it to be at least 1, NULL: nothing is taken so. `within`: a bound
     * in the sense of `relation` that is further away and simpler than `upper`, NULL: none. */
    struct expr *stride, *positive, *within;
    /* it is canonical only where `upper` is not beyond `limit` (above it when `step` is positive,
     * below it otherwise) */
    bool limited;
    long limit;   /* where `limited` */
    int nentries; /* of `entries` */
    /* variables (`entry_of`) that stand in `upper` for what those that the loop moves hold behind
     * its initial part */
    struct variable **entries;
    /* what advances the variable stands in the body, or in the condition (then `lower` and `upper`
     * are those that the body sees: `ahead` is what the first test adds); the body assigns the
     * variable nowhere else. A LOOP_DO runs at least once. `why_not` says in words why the loop is
     * not canonical (then `canonical` is false and the loop can only stay serial). */
    bool steps_in_body;
    struct pragma *pragma; /* NULL: unmarked */
    int id;                /* index in unit->loops, in the order of the text */
};

/* `do ... while (0)` */
static inline bool loop_is_once(const struct loop *loop) {
    return loop->form == LOOP_DO && loop->cond && loop->cond->kind == EXPR_INT &&
           loop->cond->int_value == 0;
}

/*
 * A macro's use whose text has taken its place in the main file's text: bytes [begin, end) of that
 * text, and the line that both begin on.
 */
struct expansion {
    unsigned begin, end;
    int line;
};

/* Bytes [begin, end) of the main file. */
struct text_span {
    unsigned begin, end;
};

/* The translation unit. `main_file` indexes files. */
/* A marked loop in other words, which rely on arrays that the user's words do not need apart. */
struct other_words {
    int line;            /* of its header */
    const char *counter; /* its variable's name */
    const char *written; /* a statement that does what the user's loop does, on one line */
    bool lists;          /* its rows are looked at in front of it */
    bool whole;          /* nothing else does a part of it, so that it may always run instead */
};

struct unit {
    struct arena *arena;         /* of all that is below */
    const struct unit *written;  /* the user's, where loops stand here in other words; else NULL */
    int nothers;                 /* of `others` */
    struct other_words *others;  /* those of these loops that have to be known */
    int nfiles;                  /* of `files` */
    struct source_file *files;   /* the main file and what it includes */
    int main_file;               /* index in `files` */
    int nfunctions;              /* of `functions` */
    struct function **functions; /* by id */
    int nglobals;                /* of `globals` */
    struct variable **globals;   /* variables at file scope */
    int nloops;                  /* of `loops` */
    struct loop **loops;         /* by id: those that count or are marked */
    int nuncounted;              /* `while` and `do` loops that do not count and are not marked */
    struct loop **uncounted;     /* in the order of the text */
    int nexprs;                  /* one more than the largest expr.id */
    int nvariables;              /* one more than the largest variable.id */
    int ntypes;                  /* of `types` */
    const struct type **types;   /* each once */
    int nexpansions;             /* of `expansions` */
    /* what of the main file's text is not as the user's file has it */
    struct expansion *expansions;
    int nleft_out; /* of `left_out` */
    /* what of it the preprocessor leaves out, from a conditional to the next one that ends it */
    struct text_span *left_out;
    int nline_marks;              /* in the order of their lines */
    struct line_mark *line_marks; /* `#line` of the main file */
    bool conditionals_read; /* whether a function's conditionals tell compilers apart (check.c): */
    const char *compiler_word;                /* the word that does, NULL: none */
    const struct function *compiler_function; /* of which function that is said */
    bool pragmas_read, pragma_macros; /* whether some #define has _Pragma in it (front.c): it has */
    const char *reserved;     /* a name of the program's that is one of ours; NULL: it has none */
    struct range reserved_at; /* where it is, if there is one */
    bool macros_read; /* the main file's definitions, in order (hidden.c), behind the headers' */
    int nmacros;      /* of `macros` */
    struct macro_place *macros;    /* of flags and headers, then of the main file */
    int nunnamed;                  /* types without a name that kernels use (gpu/type.c) */
    const struct record **unnamed; /* in the order in which they were met */
    struct unit_uses *uses; /* where variables are set and functions called (alias_origin.c) */
    bool reassociates;    /* floating-point sums may be taken in another order (-ffast-math ...) */
    bool strict_aliasing; /* the user's flags say -fstrict-aliasing, or -O2 and up without -fno- */
    bool signed_wraps;    /* they give overflow of signed integers a meaning (-fwrapv) */
    bool signed_traps;    /* they make it end the program, or say so (-ftrapv, a sanitizer) */
    bool cleans_up;       /* a variable's end may call a function (`cleanup`) */
    bool openmp;          /* they make directives of OpenMP or OpenACC mean something */
    bool has_marks;       /* the file, or a header of the user's, has directives of ours */
};

/* What the user wrote in this loop's place, where that is kept; else NULL. */
const struct other_words *other_words_of(const struct unit *unit, const struct loop *loop);

/* Some line of `range` has an expansion: places in it are none in the user's file. */
bool unit_is_expanded(const struct unit *unit, const struct range *range);

/* ---- ir_print.c, ir_dump.c ------------------------------------------------------------------- */

/* `expr` as C, minimal parentheses, casts kept:
 * the text used in names, messages and emitted gathers. */
const char *expr_print(struct arena *arena, const struct expr *expr);

/* The same for messages: what a record of a nest of rows has for a counter (`u_of[record]`, or a
 * pointer's `first + e_at[record]`; scheduler/transform/records.c) under the name that the user
 * gave it. */
const char *expr_words(struct arena *arena, const struct expr *expr);

/* `array[index]`, or `*(array + index)`: the array or pointer, and the index; false: neither. */
bool expr_is_element(const struct expr *e, const struct expr **array, const struct expr **index);

static inline const struct expr *expr_without_casts(const struct expr *e) {
    while (e && e->kind == EXPR_CAST)
        e = e->args[0];
    return e;
}

/* 0, NULL */
static inline bool expr_is_zero(const struct expr *e) {
    e = expr_without_casts(e);
    return e->kind == EXPR_INT && e->int_value == 0;
}

/* Does the variable stand in it? NULL: in nothing. */
bool expr_names(const struct expr *e, const struct variable *var);

/* Same computation on the same variables? Places and grouping do not matter. */
bool expr_equal(const struct expr *a, const struct expr *b);

/* Computes `hash` and `size`, for an expression that does not change any more. Returns the size. */
int expr_measure(struct expr *e);

/* As expr_print, but a variable v is printed as `rename(data, v)` when that is not NULL. */
const char *expr_print_renamed(struct arena *arena, const struct expr *expr,
                               const char *(*rename)(void *data, const struct variable *v),
                               void *data);

/*
 * How an expression is spelled where it is not the user's text. Each function may be NULL, or
 * return NULL for "as usual". `replace`: a text for the whole expression, which binds as tightly as
 * a name. `declare`: type_declare in other words.
 */
struct expr_style {
    void *data;
    const char *(*rename)(void *data, const struct variable *v);
    const char *(*replace)(void *data, const struct expr *expr);
    const char *(*declare)(void *data, const struct type *type, const char *name);
};

const char *expr_print_styled(struct arena *arena, const struct expr *expr,
                              const struct expr_style *style);

/* A declaration of `name` with type `type` as C ("float (*w)[4]");
 * the type's user spelling is used. */
const char *type_declare(struct arena *arena, const struct type *type, const char *name);

/* --dump=loops: the whole unit in a notation tests can read. */
void unit_dump(const struct unit *unit, void *stream);

#endif
