/*
 * What one loop touches: the result of the access passes (symbolic, alias, access, summary,
 * private, reduce) and the input of the dependence pass. Everything is in terms of the loop's own
 * iteration: locals of the body have been substituted by what they hold.
 *
 *   struct loop --access--> struct loop_facts --depend--> struct analysis (analysis.h)
 */
#ifndef ORRERY_ANALYZER_FACTS_H
#define ORRERY_ANALYZER_FACTS_H

#include "analyzer/diag.h"
#include "analyzer/ir.h"
#include "analyzer/pragma.h"
#include "include/orrery_reductions.def"

/* ---- integer values -------------------------------------------------------------------------- */

/*
 * LOOP:  the variable of the analyzed loop (loop_facts.loop) or of a loop inside it.
 * PARAM: a value that no iteration changes: a variable or an invariant expression (`K`, `m->k`,
 * `n*K`). KEY:   a value that depends only on the iteration and on data the loop does not write
 * (`r[n].user`, `hash(u[n]) % B`), used as a subscript. Two KEY symbols are one when their
 * expressions are equal. A constant beside a key is not part of the symbol: `u[n] - 1` is KEY(u[n])
 * with constant -1. DERIVED: a value of the iteration that stands in domains only.
 */
enum symbol_kind { SYMBOL_LOOP, SYMBOL_PARAM, SYMBOL_KEY, SYMBOL_DERIVED };

struct domain;

struct symbol {
    enum symbol_kind kind; /* what it is */
    const char *name;      /* as it is shown */
    /* what it is, printable at the loop's head (in terms of the loop variable, captured variables
     * and, for inner keys, inner loop variables). NULL for LOOP. */
    struct expr *expr;
    struct loop *loop; /* LOOP: whose variable or round it is */
    /* KEY that depends on a loop inside. `nguards` conditions (KEY): the expression may only be
     * evaluated when all hold (`sense[i]` tells the wanted truth); each is itself free of written
     * data. `row_guard` (KEY): rows are touched through it only in iterations where this holds (`u
     * >= 0` after `if (u < 0) continue;`); NULL: any iteration may. */
    bool inner;
    int nguards;            /* see `inner` */
    struct expr **guards;   /* ... */
    const bool *sense;      /* ... */
    struct expr *row_guard; /* see `inner` */
    /* what ties its value to other symbols (`i / 2` to i), NULL: nothing */
    const struct domain *domain;
    int id; /* index in loop_facts.symbols */
};

struct term {
    struct symbol *symbol;
    long coeff;
};

/* constant + sum of coeff * symbol; terms sorted by symbol id, no zero coefficients. */
struct affine {
    long constant;
    int nterms;
    struct term *terms;
};

/* The same terms in the same order. */
bool affine_equal(const struct affine *a, const struct affine *b);

/* The same in all iterations. */
bool affine_is_invariant(const struct affine *value);

/*
 * What is known of symbols: in every clause at least one row holds, `value` = 0 when `equality`,
 * else `value` >= 0. Equal domains of a loop are one.
 */
struct domain_row {
    bool equality;
    struct affine value;
};

struct domain_clause {
    int nrows;
    struct domain_row *rows;
};

struct domain {
    int nclauses;
    struct domain_clause *clauses;
    int id; /* index in loop_facts.domains */
};

/*
 * What is behind the words of a reason, where somebody decides by it.
 * WRITTEN, MAYBE_WRITTEN: it is read from memory that the loop writes, or may write.
 * LINKED: a pointer goes from node to node. BIT_FIELD: a bit-field keeps some bits of it only.
 * LEAVES_ROW: a subscript may leave its row. CONDITION: it is read under a condition that only the
 * iteration knows. LEFT: it is read in a loop inside that may be left early. MOVED: a loop inside moves a
 * pointer nobody knows how far.
 */
enum why_kind {
    WHY_OTHER,
    WHY_WRITTEN,
    WHY_MAYBE_WRITTEN,
    WHY_LINKED,
    WHY_BIT_FIELD,
    WHY_LEAVES_ROW,
    WHY_CONDITION,
    WHY_LEFT,
    WHY_MOVED
};

/* One subscript. When not `known`, it may be anything
 * (conflicts with everything); `why_not` says why. */
struct subscript {
    bool known;
    struct affine value;
    const char *why_not;
    enum why_kind why_kind; /* what `why_not` says */
};

/* A loop inside the analyzed one (or that one itself, index 0): bounds inclusive; unknown ones are
 * false. `by_number`: the symbol is the number of the round, not what the loop's variable holds. */
struct inner_loop {
    struct loop *loop;
    struct symbol *symbol;
    bool has_lower, has_upper, by_number;
    struct affine lower, upper;
    long step; /* of the variable, as written: lower + i*step up to upper (or down) */
};

/* ---- objects --------------------------------------------------------------------------------- */

/*
 * SCALAR:  one variable.               ARRAY: a declared array (base is the variable).
 * POINTER: what an invariant pointer points to (a variable, or `m->W`).
 * ROWS:    what the pointers of an invariant table point to (`float **W`, or a member of
 * structures side by side: dim 0 is the table's subscript). HIDDEN:  state inside a library
 * (`rand`): name says which. UNKNOWN: memory reached through a pointer nothing is known of; aliases
 * everything.
 */
struct intervals;

enum object_kind {
    OBJECT_SCALAR,
    OBJECT_ARRAY,
    OBJECT_POINTER,
    OBJECT_ROWS,
    OBJECT_HIDDEN,
    OBJECT_UNKNOWN
};

/*
 * One dimension after delinearization, outermost first. `stride`: bytes from one index to the next,
 * as an affine in PARAM symbols when that is possible, always as C text (`stride_text`, of long or
 * size_t type, valid at the loop's head). ROWS: the first `ntables` dims have no stride (text
 * NULL): their step is through a table. `extent_text`: number of indices as C text when known (from
 * the type, or from the ranges of all subscripts of this dim), else NULL. `single`: it is 1.
 */
struct object_dim {
    const char *stride_text;
    const char *extent_text;
    bool single;
};

/*
 * What an iteration touches along one dimension of an object, as intervals [low, high] (none when
 * low > high), in terms of the iteration and of the loops inside that are listed, outermost first.
 * `when`: the interval may be evaluated, and something is touched, only where this holds; NULL:
 * always. For a fact about an array's values an interval is a place and the value there instead.
 */
struct interval_loop {
    struct loop *loop;
    struct expr *when, *low, *high; /* of its variable */
    long step;
};

struct interval {
    int nloops;
    struct interval_loop *loops;
    struct expr *when, *low, *high;
    int set; /* TABLES: 0 of the guard's a, 1 of its b */
};

/*
 * All that the loop touches of an object is in these intervals. `rows`: they are subscripts of its
 * first dimension. `text`: that no two iterations meet in
 * them, in words. `assumed`: this follows from facts that the user asserts; `proved`: so surely
 * that there is nothing else to look at.
 */
struct intervals {
    const char *text;
    bool assumed, proved, rows;
    int count;
    struct interval *items;
};

/* `name` as the user says it ("W", "m->W"). */
struct object {
    enum object_kind kind; /* what it is */
    const char *name;      /* as the user says it */
    /* the variable that it is, or that leads to it; NULL: none by itself */
    struct variable *var;
    struct expr *base;          /* expression of its address at the loop's head */
    const struct type *element; /* type of what the last subscript selects */
    int ndims;                  /* subscripts that select an element */
    struct object_dim *dims;    /* ... */
    bool read, written;         /* by some access */
    /* the body's text reaches it through the variable `var` only (so a different base may be handed
     * to the body); false when a called function names the variable itself or when it is reached
     * through other memory (`m->W`) */
    bool captured;
    int ntables; /* ROWS: dims that lead through tables of pointers, 1 or 2 */
    bool parted; /* ROWS: some members of structures; another object has others of the same rows */
    long table_at, table_step; /* ROWS: of each pointer in a structure, else 0 */
    long inner_at, inner_step; /* the same of the tables that a table leads to */
    /* size in bytes as C text when the type tells (declared arrays, *m), or an extent() clause
     * (then `extent` is its expression), else NULL */
    const char *size_text;
    const char *origin_text; /* bytes from `base` to subscripts 0, NULL: none */
    struct expr *extent;     /* the expression of an extent() clause, NULL: none */
    /* how a run can check that no two iterations share an element; NULL: nothing speaks for it */
    const struct intervals *intervals;
    /* `surely`: in these it is touched in every iteration; `all_entries`: and of a table of
     * pointers (ROWS) every entry from 0 to the greatest subscript is read. `apart`: the analysis
     * relies on that (then it is a guard, unless proved). `in_front`: the loop may touch what lies
     * in front of `base`; told of objects that a guard holds against others. */
    bool apart, in_front, surely, all_entries;
    /* it is touched only in runs where this invariant condition holds, NULL: in any */
    const struct expr *when;
    int id; /* index in loop_facts.objects */
};

/* One place of the body (or of a function it calls: then `range` is in the callee and `via` the
 * call) that touches memory. */
struct access {
    struct object *object; /* what is touched */
    bool write;            /* else it is a read */
    int nsubs;             /* of `subs` */
    /* one per dim of the object, fewer when a whole row is touched. [field_offset, field_offset +
     * field_size): bytes of the element touched; -1 size = all of it. */
    struct subscript *subs;
    long field_offset, field_size; /* see `subs` */
    /* `conditional`: not executed in every iteration, loops inside whose range is the same in all
     * of them apart; `sometimes`: not in every iteration even then; `either`: but then the other
     * branch writes the same place */
    bool conditional, either, sometimes;
    /* executed only where this invariant condition holds, NULL: none is known */
    const struct expr *when;
    /* executed only in iterations where this holds, which can be told before they run; the rounds
     * of the loops around it apart. NULL: nothing is known */
    const struct expr *told;
    int reduction; /* index in loop_facts.reductions or -1 */
    bool folds;    /* of `x += e` and its like, whether or not they are a reduction */
    int nloops;    /* of `loops` */
    int *loops;    /* enclosing inner loops, outermost first (indices into loop_facts.inner) */
    const struct domain *domain; /* where it is executed at all, NULL: anywhere */
    struct expr *expr;           /* the text of the touch */
    struct expr *via;   /* the call in the body that leads to it, NULL: it is in the body itself */
    struct range range; /* where it is */
    const char *text;   /* `expr` as it is shown */
    int id;             /* order of execution within the body */
    const struct function *called; /* a library's that touches it: `expr` is its argument; NULL */
};

/* Invariant values alone choose its element. */
static inline bool access_is_fixed(const struct access *a) {
    for (int d = 0; d < a->nsubs; ++d) {
        for (int i = 0; a->subs[d].known && i < a->subs[d].value.nterms; ++i)
            if (a->subs[d].value.terms[i].symbol->kind != SYMBOL_PARAM)
                return false;
    }
    return true;
}

enum alias { ALIAS_NO, ALIAS_GUARDED, ALIAS_MAY };

/* ---- reductions, private data, what else the body needs -------------------------------------- */

enum reduction_op {
#define REDUCTION_NAME(NAME, ...) REDUCE_##NAME,
    ORRERY_REDUCTIONS(REDUCTION_NAME)
#undef REDUCTION_NAME
        REDUCTION_OPERATORS,             /* how many the table has; the others are no operators */
    REDUCE_ARGMIN = REDUCTION_OPERATORS, /* set along with a minimum or maximum */
    REDUCE_ARGMAX,
    REDUCE_LAST,  /* set by some iterations, the last of them counts */
    REDUCE_RELAX, /* relax(x): a copy that starts as x; what it changed is added to x */
    REDUCE_BUFFER /* buffer(x : apply): what is added to x goes to apply() */
};

enum reduction_identity {
    REDUCTION_ZERO,
    REDUCTION_ONE,
    REDUCTION_ONES,
    REDUCTION_LEAST,
    REDUCTION_MOST,
    REDUCTION_TARGET
};

enum reduction_ties { REDUCTION_ANY, REDUCTION_FIRST, REDUCTION_LAST, REDUCTION_EITHER };

/* A row of include/orrery_reductions.def, where each column is explained. */
struct reduction_operator {
    enum reduction_op base; /* the operator that it is a kind of, or itself */
    const char *name;       /* in capitals: of REDUCE_ and ORRERY_ */
    /* function of a GPU's lanes; in clauses; in sentences; in the C library, "": none */
    const char *lanes, *word, *title, *call;
    enum op spelled;                      /* in C, OP_NONE: others say it */
    enum reduction_identity identity;     /* what a copy starts from */
    enum reduction_ties ties;             /* which of -0.0 and 0.0 is kept */
    bool integers, floats;                /* what it takes */
    bool rounded, in_elements, on_device; /* its traits */
};

/* The row of an enum reduction_op. NULL: no operator: REDUCE_LAST and others, -1. */
const struct reduction_operator *reduction_operator(int op);

/* MIN or MAX of any of the minima and maxima, else `op`. */
enum reduction_op reduction_base(enum reduction_op op);

/* `+`, `argmin`. */
const char *reduction_word(enum reduction_op op);

/* The operator that a clause names so, that C spells so (`-` is a sum), or -1. */
int reduction_named(const char *word);
int reduction_spelled(enum op op);

bool reduction_is_extreme(enum reduction_op op);

/* && and ||: copies start as the target. */
bool reduction_is_logical(int op);

/*
 * `count` numbers of `type`, `step` bytes apart, from byte `offset` of each element of an array of
 * structures; `bytes` from the first to the end of the last.
 */
struct reduction_field {
    enum reduction_op op;
    const struct type *type;
    long offset, step, count, bytes;
};

/* Variables that are set together, by the iterations that one condition chooses. MIN, MAX: by those
 * that find a better `best` than was, one of the members; of equal ones the `first` counts, or else
 * the last. */
struct argmin {
    enum reduction_op op;        /* MIN, MAX or LAST */
    bool first;                  /* of equal ones the first counts, else the last */
    const struct variable *best; /* the member that is compared, LAST: NULL */
    const struct expr *field;    /* the member of `best` that is compared, NULL: `best` itself */
    /* what `best`, a place, is compared by (`x[at]`), NULL: its own value. LAST: by any, the last
     * counts; `best` is NULL. */
    const struct expr *worth;
    int nmembers;              /* variables that are set together */
    struct variable **members; /* ... */
    /* what a member stands for, a number behind a pointer; NULL: it is the variable */
    const struct expr **places;
    int nsets; /* of `sets` */
    /* in each place where the members are set the assignment to the best, or each to the one
     * member: a statement, a part of one between commas, or the value that `?:` takes */
    struct expr **sets;
};

/* Into a scalar, or into elements of an array with any subscript. */
struct reduction {
    enum reduction_op op;        /* what folds */
    struct object *object;       /* what is folded into */
    const struct type *type;     /* of the scalar or the element */
    const struct argmin *argmin; /* the variable is one of its members; NULL: of none */
    const struct expr *place;    /* it is a number behind a pointer, one of choice->places */
    /* the object is reached as members of this structure, or of the one that it points to
     * (`m->grad`), in which the loop changes nothing but reductions: a copy of the structure can
     * lead elsewhere; NULL: no such variable. `nfields` > 0: into members of structures of `stride`
     * bytes; `op` and `type` are the first one's. */
    const struct variable *holder;
    /* `asserted`: by the user's clause. `in_front`: elements in front of what the object's pointer
     * points to may be touched. `ties`: a minimum or maximum of numbers of which some may be -0.0,
     * so that the order of the iterations decides between equal ones. `marked`: RELAX and BUFFER;
     * every write stands in the body's own text, and the data choose the elements. `apart`: and so
     * does every read, so that the elements may stand elsewhere (docs/served.md). */
    bool is_array, asserted, marked, apart, in_front, ties;
    enum relax_rule rule;           /* RELAX; never RELAX_UNSAID */
    struct function *apply;         /* BUFFER */
    int nfields;                    /* see `holder` */
    struct reduction_field *fields; /* ... */
    long stride;                    /* bytes from one structure to the next */
    struct range range;             /* the first fold */
};

/*
 * A variable that every iteration moves by the same amount: `entry` + i * `by` at the start of
 * iteration i = 0, 1, ... `entry` stands for what `var` holds where the loop begins (behind the
 * header's initial part). `by`: in units of the variable (elements, for pointers), valid at the
 * loop's head.
 */
struct induction {
    struct variable *var, *entry;
    struct expr *by;
};

/* A variable declared outside of the loop, written before it is read in each iteration. */
struct private_var {
    struct variable *var;
    bool last_value; /* its value is used after the loop */
};

/*
 * An array (or a field) declared outside of the loop that every iteration writes before it reads
 * it: workers get copies. `last_value`: what the last iteration left in it is used after the loop.
 * `whole`: its subscripts do not tell how much of it is touched, only its allocation does.
 */
struct scratch {
    struct object *object;
    bool last_value, whole;
};

/* Why an object that every iteration uses as if it were its own cannot be: one place of two that
 * the words speak of, and the edit. */
struct scratch_miss {
    const struct object *object;
    const char *code;
    struct range range;
    const char *message, *fix;
    bool if_static; /* it could be, if other files did not name it */
};

/* A variable of the enclosing function,
 * or a global that is an array's base, used by the body's text. */
struct capture {
    struct variable *var;
    struct object *object; /* when it is the base of an object: else NULL (a plain value) */
};

/* A global variable that the body or a function called
 * from it reads by name (bytes travel to ranks). */
struct used_global {
    struct variable *var;
};

/* A read whose value depends on the iteration alone (`r[n].value`): it can be gathered into the
 * packed record of the iteration and its text replaced at every site. `key`: this site is the row
 * index made of that KEY (the replacement is relabelled when rows are); -1: an ordinary value.
 * `guards` as for symbols. */
struct stream_load {
    struct expr *expr;       /* in terms of the loop variable and captures */
    const struct type *type; /* of the value */
    struct symbol *key;      /* NULL: ordinary value */
    long key_constant;       /* the replaced text's value is key + key_constant */
    int nguards;             /* of `guards` and `sense` */
    struct expr **guards;    /* conditions under which it may be evaluated */
    const bool *sense;       /* what each of these has to be */
    int nsites;              /* of `sites` */
    struct range *sites;     /* all exact */
};

/* The key of a row that every round of loop `inner` of the facts has of its own (`e->neg[s]`). The
 * text at its sites names the loop's variable. */
struct round_key {
    struct stream_load load;
    int inner;
};

/*
 * An invariant value that may fault where it is evaluated in front of the loop (`s->n`, `a / b`).
 * `when`: what has to hold for the loop to evaluate it, NULL: nothing; `sometimes`: even then some
 * iterations may do so only, and its pointers may lead nowhere. `symbol`: NULL: it is none.
 */
struct front_value {
    const struct expr *expr, *when;
    bool sometimes;
    const struct symbol *symbol;
};

/*
 * A fact a run has to check (DESIGN 3): `text` for the report, kind for the emitter.
 * KEY_RANGE:  the rows of `a` that the keys select stay inside a piece ("0 <= item < M").
 * CONDITION:  `text` is itself a C condition, true at the loop's head or else the run may not start
 *             ("K >= 4"); `a` is the object whose rows would overlap. Evaluate it as written, where
 *             `when` holds.
 * APART:      no two iterations share an element of `a`: their intervals do not meet.
 * TABLES:     all rows of `a` that are reached lie on one side of all of `b`, in one array.
 * MONOTONE, INJECTIVE: the values of `a`, at the places claimed, do not fall; none is there twice.
 * EMPTY:      nothing is claimed: low > high everywhere.
 */
enum guard_kind {
    GUARD_NO_OVERLAP,
    GUARD_ROWS_DISJOINT,
    GUARD_KEY_RANGE,
    GUARD_CONDITION,
    GUARD_APART,
    GUARD_TABLES,
    GUARD_MONOTONE,
    GUARD_INJECTIVE,
    GUARD_EMPTY
};

struct guard {
    enum guard_kind kind;    /* what is promised */
    struct object *a, *b;    /* b NULL where one object is enough */
    const char *text;        /* the promise as it is shown; of CONDITION and KEY_RANGE C text */
    const struct expr *when; /* CONDITION, KEY_RANGE: else nobody needs it; NULL: always */
    const struct intervals *intervals; /* APART and the kinds after it */
    const struct expr
        *serial;        /* CONDITION: where it is false, this is true, and the loop runs as it is
                         * written: nothing is known of what it does then. Else NULL */
    bool assumed;       /* the user's assume() stands for it: tested by verify only */
    bool repeated;      /* NO_OVERLAP: one before it says the same of the same two */
    int nshown;         /* CONDITION: values to show when it fails, as C texts */
    const char **shown; /* ... */
};

/* Why the loop can only stay serial, found before any dependence was computed. */
struct refusal {
    const char *code; /* ORR2xxx, ORR3xxx */
    struct range range;
    const char *message;
    const char *fix; /* may be NULL */
};

/* Is it what relax() or buffer() made of an object, rather than a fold? */
static inline bool reduction_is_merged(const struct reduction *reduction) {
    return reduction->op == REDUCE_RELAX || reduction->op == REDUCE_BUFFER;
}

struct loop_facts {
    struct unit *unit; /* the translation unit */
    struct loop *loop; /* the analyzed one */
    /* `no_copies`: no object becomes scratch space (facts_privatize) but those of `copied`; for who
     * runs parts of iterations. `keeps_sums`: sums and products of floating-point numbers into
     * arrays are accesses like others. `allocates`: an iteration has memory from malloc for itself,
     * whose address is its own business. */
    bool no_copies, keeps_sums, allocates;
    int ncopied;              /* arrays that parts of iterations have for themselves, too */
    struct variable **copied; /* ... */
    struct symbol *index;     /* the loop's own LOOP symbol */
    bool by_number;           /* it is the iteration's number 0, 1, ..., not the loop's variable */
    int ninductions;          /* variables that move by the same amount in every iteration */
    struct induction *inductions; /* by_number: the loop's variable is one of them */
    int nsymbols;                 /* what subscripts are made of, by their ids */
    struct symbol **symbols;      /* ... */
    int ndomains;                 /* where accesses are executed, and what ties symbols together */
    struct domain **domains;      /* ... */
    int ninner;                   /* loops */
    struct inner_loop *inner;     /* [0] is the loop itself */
    int nobjects;                 /* memory that the loop touches, by their ids */
    struct object **objects;      /* ... */
    int naccesses;                /* in the order of execution */
    struct access *accesses;      /* private and reduction-only accesses included, marked as such */
    int nreductions;              /* what is folded */
    struct reduction *reductions; /* ... */
    int nprivates;                /* variables of which every worker has its own */
    struct private_var *privates; /* ... */
    int nscratches;               /* arrays of which every worker has its own */
    struct scratch *scratches;    /* ... */
    int nmisses;                  /* arrays that nearly are: why they are not */
    struct scratch_miss *misses;  /* ... */
    int ncaptures;                /* variables whose values the body takes from outside */
    struct capture *captures;     /* ... */
    int nglobals;                /* variables of the file that the body or a called function uses */
    struct used_global *globals; /* ... */
    int nstreams;                /* loads that can be gathered before the loop runs */
    struct stream_load *streams; /* ... */
    int nround_keys;             /* keys of the rounds of loops inside */
    struct round_key *round_keys;   /* ... */
    struct symbol **scattered_keys; /* keys of rounds with an access that none of these leads to */
    int nscattered_keys;            /* of `scattered_keys` */
    int nfronts;                    /* invariant values that may fault in front of the loop */
    struct front_value *fronts;     /* ... */
    bool uses_index;                /* the loop variable is used outside of stream sites */
    struct symbol *
        *unreplaceable_keys;    /* keys whose row index has a site that cannot be replaced */
    int nunreplaceable_keys;    /* of `unreplaceable_keys` */
    int nguards;                /* what a run has to check, or the user promises */
    struct guard *guards;       /* ... */
    const struct domain *given; /* of PARAM symbols, true because guards say so; NULL: nothing */
    int nrefusals;              /* why the loop has to stay serial */
    struct refusal *refusals;   /* ... */
    int ncarried; /* so many of them for variables that carry a value to later iterations */
};

/* ---- passes ---------------------------------------------------------------------------------- */

/* requires: unit. Everything above for one loop; refusals instead of guesses. Never NULL. */
struct loop_facts *facts_collect(struct unit *unit, struct loop *loop);

/* The same with keeps_sums. */
struct loop_facts *facts_collect_sums(struct unit *unit, struct loop *loop);

/* Does `b` surely hold where `a` does? NULL always holds. */
bool facts_implies(const struct expr *a, const struct expr *b);
/* The same of `b` being false. */
bool facts_excludes(const struct expr *a, const struct expr *b);
/* Facts of a loop whose analysis was broken off (budget.h): the refusal ORR2190, nothing else. */
struct loop_facts *facts_too_much(struct unit *unit, struct loop *loop);

/* May objects a and b of these facts overlap? GUARDED:
 * no, provided that guard *guard (added) holds. */
enum alias facts_alias(struct loop_facts *facts, const struct object *a, const struct object *b,
                       int *guard);

/* Is it a variable that moves in equal steps, or what one held where the loop began? */
bool inductions_has(const struct loop_facts *facts, const struct variable *var);

/* The first access to memory that pointers lead to which the loop reads, and of which no array is
 * known: only who has all memory can make it. NULL: there is none. */
const struct access *facts_unplaced(const struct loop_facts *facts);

/* The first of its subscripts that is not known; NULL: all are. */
const struct subscript *access_unknown(const struct access *a);

/* The first key in its known subscripts, of the iteration or (`inner`) of a loop inside; NULL: none. */
const struct symbol *access_key(const struct access *a, bool inner);

/* As the user tells it apart from others of the same name: "the pointer m->W" is the field, "m->W"
 * what it points to, "the rows of W" what the pointers in the table W point to. */
const char *object_words(struct arena *arena, const struct object *object);

/* Is it numbers in one piece, of which workers can have copies (relax)? */
/*
 * In `cs[i].side.sum[j]`, where `base` is `cs`: the pointer `cs[i].side.sum`, and `*index` i, if the
 * text has them so; else NULL. `index` may be NULL.
 */
struct expr *rows_pointer(struct expr *lvalue, const struct expr *base, struct expr **index);

static inline bool object_is_numbers(const struct object *object) {
    return (object->kind == OBJECT_ARRAY || object->kind == OBJECT_POINTER) &&
           type_is_number(object->element);
}

/* Copies can take its place: no called function names the variable. */
static inline bool object_may_have_copies(const struct object *object) {
    return !object->base || object->base->kind != EXPR_VAR || object->captured;
}

/*
 * Can every worker have a copy of `object`, so that nothing is carried through it? True: it is in
 * `scratches` now. False: `misses` may say why not.
 */
bool facts_privatize(struct loop_facts *facts, struct object *object);

/* The structure whose copy leads to copies of scratch space, as reduction.holder; NULL: none. */
const struct variable *facts_holder(const struct loop_facts *facts, const struct object *object);

/*
 * Is what `write` stores made of the element that `read` reads by a sum, a minimum or a maximum, so
 * that the loop is a prefix scan? Its enum reduction_op, or -1.
 */
int facts_scan(const struct loop_facts *facts, const struct access *write,
               const struct access *read);

/* --dump=accesses */
void facts_dump(const struct loop_facts *facts, void *stream);

#endif
