/*
 * One address space over many ranks: allocation, ownership, movement (docs/dsm-protocol.md).
 * Knows nothing of loops. With one rank nothing is sent, protected (but for watches) or copied, and
 * allocation is the C library's.
 *
 * Words. *Home*: an array's memory as serial code on rank 0 sees it, in the user's order. *Part*:
 * the rows that are owned and moved together; every part has one owner rank at a time. *Store*:
 * where a rank keeps the parts it has. In VIEW mode the store is a range of its own, at the same
 * address on every rank, rows in part order, whole pages of absent parts unreadable. In INPLACE
 * mode the store is the home address itself on every rank (global heap or static memory), rows are
 * packed when they travel, nothing is protected.
 *
 * Errors: every function that can fail ends the job with a message on stderr that names what, where
 * and the way out, unless its comment says otherwise. "Collective" = every rank, same order, same
 * arguments.
 */
#ifndef ORRERY_DSM_H
#define ORRERY_DSM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- life ------------------------------------------------------------------------------------ */

/*
 * Collective; once, before main. Picks the transport: `transport` "self", "mpi" or "auto" (mpi when
 * a launcher's environment is seen: the module liborrery-mpi.so is then loaded; not loadable =
 * error). Reserves the global heap, installs the fault handler.
 */
void dsm_start(const char *transport);

/*
 * Before dsm_start: whether ranks of one host keep views of arrays that travel, and what they only
 * read, in pages they share (the default), or every rank its own. What the first rank of a host says counts.
 */
void dsm_share_pages(bool share);

/*
 * Before dsm_start, the same on all ranks: with several ranks each may have so many bytes of the
 * program's arrays (0: any number). Of a large block rank 0 then has a part at a time, the rest is
 * on the others; what needs it whole, and does not fit, ends the job. No pages are shared. For
 * tests: with `evict_all` rank 0 has a few pages at a time, and the bytes are not counted.
 */
void dsm_budget(size_t bytes, bool evict_all);

/* Rank 0: has it a part of this memory only? Under a budget. */
bool dsm_is_windowed(const char *low, const char *high);

/* Rank 0, with a budget: of its windows so much leaves as is in the way of so many bytes that it is
 * about to have. The bytes that the process has then. */
size_t dsm_window_room(size_t bytes);

/* Rank 0, between regions: blocks with bytes in [low, high) come to it whole, for good; over the
 * budget the job ends. */
void dsm_whole(const char *low, const char *high);

/*
 * Before dsm_start: whether messages of this rank may have memory of a GPU (not, unless it is
 * said). dsm_direct, behind it: they may on all ranks, and the library that carries them takes it.
 */
void dsm_direct_allow(bool allow);
bool dsm_direct(void);

/*
 * Before dsm_start: a single rank allocates from the global heap, too, so that the same program
 * gets the same addresses on any number of ranks.
 */
void dsm_keep_addresses(void);

/*
 * Before dsm_start: the process is not ours. Its calls of the C library are not wrapped, its main
 * is its own and its signals are. There is one rank; no page is protected, what is watched gets
 * copied and compared; of blocks only those that are lent, and variables of the program, are known.
 * dsm_launched: how many processes the launcher says it started; 0: there is none, -1: it does not
 * say.
 */
void dsm_guest(void);
bool dsm_is_guest(void);
int dsm_launched(void);

/*
 * Before dsm_start, for tests: messages start late and their ends are seen late, at random, and
 * what is long goes in small pieces. 0: no. dsm_chunk: bytes of such a piece, `usual` else.
 */
void dsm_torture(unsigned seed);
size_t dsm_chunk(size_t usual);

/* Before dsm_start: the nth allocation of the runtime itself fails on this rank (-1: on every one).
 * dsm_own_fails counts one; true: it is that one, and there is no memory. Any thread. */
void dsm_torture_allocation(unsigned long nth, int rank);
bool dsm_own_fails(void);

/* dsm_own_starve: there was no memory, and somebody is about to refuse.
 * dsm_own_starved: how often. Any thread. */
void dsm_own_starve(void);
unsigned long dsm_own_starved(void);

/* Is this a child of the process that called dsm_start? It has the memory, valid, and no ranks:
 * what fails ends the child alone. */
bool dsm_forked(void);

/* From now on the program's calls that change a file or start a command come to `changes` first, with
 * its path or the command; NULL: to nobody. */
void dsm_on_change(void (*changes)(const char *path));

/* Rank 0: what happens in front of fork() happens now, in this thread: its children have all memory. */
void dsm_before_fork(void);

/* Collective; flushes and ends the transport. */
void dsm_finish(void);

int dsm_rank(void);
int dsm_ranks(void);
int dsm_host_rank(void); /* rank among those of this host */
int dsm_host_ranks(void);

/* Ends all ranks with `status` after printing the message once,
 * prefixed "orrery: rank R: ". Any thread. */
_Noreturn void dsm_fail(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Who is told the status before dsm_fail prints; not when a message could not travel. */
void dsm_at_fail(void (*tell)(int status));

/*
 * How something ended that may fail and does not end the job by that. Such functions are bool, true
 * when all went well, and have a status as their last argument. The first place that finds what is
 * wrong says so; callers pass it on; the one that goes on in another way prints it. A status begins
 * as {0}.
 */
struct dsm_status {
    bool failed;
    char why[4608]; /* what went wrong, with its place; a path fits in. Empty: nothing */
};

/* Says what went wrong, unless something did before. Returns false. */
bool dsm_status_fail(struct dsm_status *status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/*
 * A module (shared library) of this version, from $ORRERY_LIBDIR or where the program was linked
 * or Orrery is installed: what dlopen returns, or NULL, failed.
 */
void *dsm_module_open(const char *name, struct dsm_status *status);

/*
 * Runs `work` to its end: true. Or up to a dsm_refuse of this thread: false, and `status`, which
 * it sets in any case, says why; what `work` had begun is the caller's to tidy. dsm_attempt_commit,
 * inside: from here on there is no way back. dsm_attempting: this thread is on the way of one that
 * has not committed. Any thread; no lock may be held where dsm_refuse is called, nor messages be
 * due.
 */
bool dsm_attempt(void (*work)(void *data), void *data, struct dsm_status *status);
void dsm_attempt_commit(void);
bool dsm_attempting(void);

/* Between the two the thread is in no attempt: others wait for what it has to say. */
void *dsm_attempt_pause(void);
void dsm_attempt_resume(void *paused);

/* Leaves the attempt that is under way; without one it is dsm_fail. */
_Noreturn void dsm_refuse(int status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- commands: rank 0 leads, the others serve ------------------------------------------------ */

/* Rank 0 only: hands `op` (>= 0) with `bytes` of payload to every other rank's dsm_serve. */
void dsm_command(int op, const void *payload, size_t bytes);

/*
 * Ranks other than 0: blocks, calling handler(data, op, payload, bytes) for each command, until
 * rank 0's dsm_finish. Commands of the dsm itself (distribute, collect) never reach the handler.
 */
void dsm_serve(void (*handler)(void *data, int op, const void *payload, size_t bytes), void *data);

/* ---- messages: any size, any thread ---------------------------------------------------------- */

struct dsm_request;

void dsm_send(int rank, int tag, const void *data, size_t bytes);
void dsm_receive(int rank, int tag, void *data, size_t bytes);
struct dsm_request *dsm_send_start(int rank, int tag, const void *data, size_t bytes);
struct dsm_request *dsm_receive_start(int rank, int tag, void *data, size_t bytes);
bool dsm_test(struct dsm_request *request); /* true: done, and the request is gone */
void dsm_wait(struct dsm_request *request);

/* Collective: rank 0's bytes on every rank. */
void dsm_broadcast(void *data, size_t bytes);

/* ---- allocation ------------------------------------------------------------------------------ */

/* Memory of the runtime itself:
 * the C library's on every rank, never the global heap. NULL never. */
void *dsm_own_alloc(size_t bytes);
void *dsm_own_aligned(size_t alignment, size_t bytes);
void *dsm_own_realloc(void *memory, size_t bytes);
void dsm_own_free(void *memory);

/* Memory of the runtime at this address or none (NULL): zeroed, taken when touched, never freed. */
void *dsm_own_map_at(void *address, size_t bytes);
/* The file's bytes, read and written, seen by who reads the file. NULL with errno. */
void *dsm_own_map_file(int file, size_t bytes);

/* For messages about memory whose size is not known: that the program's file has no symbol table
 * (strip), from which the sizes of statics are; "": it has one. Local. */
const char *dsm_stripped_words(void);

/*
 * The allocation (malloc family, any size, one rank or many) or registered static that contains
 * `address`. False for stack and foreign memory.
 */
bool dsm_find(const void *address, char **base, size_t *bytes);

/*
 * While this number stays the same, dsm_find says of every block what it said before: none of them
 * was freed, resized or unmapped. With a global heap (several ranks) it is another number at every
 * call. One thread at a time.
 */
unsigned long dsm_find_epoch(void);

/*
 * One rank, between regions: from here on these blocks of memory are known, and those of the last
 * call are not. They may overlap: then they are one. False: they are the same. dsm_lent_epoch:
 * another number when they are others.
 */
struct dsm_range;
bool dsm_lend(int n, const struct dsm_range *ranges);
unsigned long dsm_lent_epoch(void);

/* True when `address` means the same memory on every rank
 * (global heap, static data of the program). */
bool dsm_is_shared(const void *address);

/* True when `address` lies in memory of the program that nothing may write: all ranks run one
 * binary, so it holds the same on every rank. */
bool dsm_is_constant(const void *address);

/* `run` is called when the process ends. False: no memory. */
bool dsm_on_exit(void (*run)(int status, void *));

/* Something of the program, or another process, may see its memory when it has ended. */
bool dsm_end_is_seen(void);

/* Makes [address, address+bytes) of the global heap usable
 * (zeroed where new) on this rank. Local. */
void dsm_commit(void *address, size_t bytes);

/*
 * Collective: rank 0's bytes of the global heap or static memory on every rank, at the same
 * address. Long ones that are not `written` there are once on each host, beside rank 0's own;
 * a page that a rank writes all the same is its own from then on.
 */
void dsm_replicate(void *address, size_t bytes, bool written);

/*
 * Rank 0 in serial code: [address, address+bytes) is about to be read (written) by somebody who
 * does not fault, or soon: collects the arrays whose home it is, marks watches if written. Cheap
 * when nothing is guarded. What a region's start reads must be acquired before its dsm_command.
 */
void dsm_acquire(const void *address, size_t bytes, bool write);

/* ---- images: the whole memory of the program, rank 0 in serial code (dsm_keep_addresses) ----- */

/* Calls `block` for every block of the global heap,
 * addresses rising. It must not allocate there. */
void dsm_heap_each(void (*block)(void *data, char *base, size_t bytes), void *data);

/* Memory of the program outside of the global heap: blocks that the C library gave it (before main)
 * or that it mapped writable. NULL, or one of them. */
const void *dsm_heap_foreign(void);

/* Which blocks there are, not what they hold: bytes for dsm_heap_put, owned by the caller
 * (dsm_own_free). */
void *dsm_heap_get(size_t *bytes);

/* Makes the heap consist of those blocks. A block that is there already keeps what it holds, others
 * hold anything. Watches and arrays on the heap are told. False, and nothing changed: no such
 * image. */
bool dsm_heap_put(const void *image, size_t bytes);

/* Does the address lie in a large table of the dsm, to which no pointer of the program leads? */
bool dsm_own_table(uintptr_t address);

/* The reservation that the global heap is part of. */
struct dsm_range dsm_heap_range(void);

/* The range of addresses [low, high) of the program's static data, read and written. */
struct dsm_range dsm_static_range(void);

/* ---- spilled memory: large blocks stand in a rank's file --------------------------------------- */

/*
 * Once, behind dsm_start: from here on large blocks stand in a file of `folder`, and of all such
 * memory no more than `budget` bytes are here at a time: one rank's blocks of the program (malloc
 * and its kin); several ranks' views, and the chunks of windows (dsm_budget). `evict`: for tests,
 * all of it goes at once. Ends the job where that cannot be.
 */
void dsm_spill_start(const char *folder, size_t budget, bool evict);

/* Who can say what an address of the program is, for messages: in `text`, else that is empty. Called
 * by the fault handler. */
typedef void dsm_spill_name(const char *address, char *text, size_t size);
void dsm_spill_named_by(dsm_spill_name *name);

/* The same for the runtime's own: zeroed pages; NULL: not wanted, take others. unmap: false for
 * other memory. */
void *dsm_spill_map(size_t bytes);
bool dsm_spill_unmap(void *memory);

/* 0: nothing is spilled. All bytes of spilled blocks. Is the address in one? */
size_t dsm_spill_budget(void);
size_t dsm_spill_bytes(void);
bool dsm_is_spilled(const void *address);

/* What a loop needs from here on, as often as said; what it does not need any more, which goes
 * first; what it will need soon. Any thread; hints, which change no byte. */
struct dsm_range;
void dsm_spill_use(const char *from, const char *to);
void dsm_spill_done(const char *from, const char *to);
void dsm_spill_ahead(const char *from, const char *to);

/* Bytes: what may be here, 0: nothing is spilled; evicted so far, whether they had to be written or not; read ahead; here at most, as it was
 * seen; that this process has read from disks and written to them (/proc/self/io). `stops`: how
 * often the program had to wait, `stopped` seconds in all. */
struct dsm_spill_figures {
    size_t budget, evicted, ahead, most, read, written;
    long stops;
    double stopped;
};
void dsm_spill_figures_get(struct dsm_spill_figures *figures);

/* ---- watches: has this memory changed? ------------------------------------------------------- */

struct dsm_watch;
struct dsm_range {
    const char *low, *high;
};

/*
 * Local. Notes the content of the ranges: whole pages are write-protected (a write is let through
 * by the fault handler and marks the watch), partial pages and short ranges are copied and
 * compared; freeing or re-allocating the memory marks it too, and so do the C library calls that
 * let the kernel write (read, fread, recv, ...). Memory of unknown owner (stack) is copied; too
 * much of it, or a range that is not there: the watch has changed from the start. Ask and end from
 * any one thread.
 */
struct dsm_watch *dsm_watch_start(int nranges, const struct dsm_range *ranges);
/* The same; what is pending stays pending, where it can. */
struct dsm_watch *dsm_watch_start_pending(int nranges, const struct dsm_range *ranges);
/* The same; memory of which rank 0 has a part under a budget stays so, since this rank only reads it
 * by its own instructions. */
struct dsm_watch *dsm_watch_start_windowed(int nranges, const struct dsm_range *ranges);
bool dsm_watch_changed(struct dsm_watch *watch);
/* Do blocks of the program fill [low, high), with room for no other between them? Then a watch on all of it
 * costs what one on a single block does. */
bool dsm_filled(const char *low, const char *high);

/* The same by several threads at once, each of which looks at another of `parts` shares of what is
 * compared; how many bytes that are. True: it has changed, as far as anybody has seen. */
bool dsm_watch_look(struct dsm_watch *watch, int part, int parts);
size_t dsm_watch_compared(const struct dsm_watch *watch);

/*
 * Rank 0: other ranks get what [low, high) holds now, at the same addresses. Watches that began
 * over it when it held something else are marked, for good: when the old bytes stand here again,
 * those ranks have the ones in between.
 */
void dsm_watch_sent(const char *low, const char *high);
void dsm_watch_end(struct dsm_watch *watch);

/* ---- lazy copies: memory whose bytes are elsewhere ------------------------------------------- */

struct dsm_lazy;
enum dsm_lazy_state {
    DSM_LAZY_PENDING, /* the pages are unreadable, their bytes elsewhere */
    DSM_LAZY_DONE,    /* the bytes are there: somebody touched them, or nothing was pending yet */
    DSM_LAZY_GONE     /* the program gave the memory up */
};

/*
 * `bytes` of the memory at `address`, written to `to`. Called in the thread that touches the
 * memory, by the fault handler too: no allocation from the program's memory, no touch of pending
 * memory.
 */
typedef void dsm_lazy_fetch(void *data, char *to, const char *address, size_t bytes);

/*
 * Local, with one rank; on several of placed memory, and of what those who fetch can ask other
 * ranks for (dsm_ask). dsm_lazy_new: a lazy copy over the whole pages of [low, high), which it says
 * in `pages`; nothing is pending yet. NULL: too few pages, or memory that cannot be pending (stack,
 * mapped by the program, of unknown owner), or a kernel that does not let us. dsm_lazy_defer: from
 * here on the first touch of the pages, by any thread, or by the kernel where the hooks see it,
 * fetches all of them. A watch on them must begin before, and stays. fork and the end of the
 * program materialize.
 */
struct dsm_lazy *dsm_lazy_new(const char *low, const char *high, dsm_lazy_fetch *fetch, void *data,
                              struct dsm_range *pages);
void dsm_lazy_defer(struct dsm_lazy *lazy);
enum dsm_lazy_state dsm_lazy_state(const struct dsm_lazy *lazy);

/* Fetches what is pending. dsm_lazy_end: does not, the pages can be used and hold anything. */
void dsm_lazy_materialize(struct dsm_lazy *lazy);
void dsm_lazy_end(struct dsm_lazy *lazy);

/* A fetch that has only some of the bytes: what lay in the pages when they were pending. */
void dsm_lazy_below(char *to, const char *address, size_t bytes);

/*
 * dsm_ask: rank 0, any thread, the fault handler too: all other ranks get the question (at most 232
 * bytes) soon, each in the thread that serves, while it waits for anything, in a region as well.
 * Does not wait; answers are messages. After the job it ends the program with a message.
 * dsm_answer_by: the others, once, before they serve.
 */
typedef void dsm_answer(const void *question, size_t bytes);
void dsm_ask(const void *question, size_t bytes);
void dsm_answer_by(dsm_answer *answer);

/* ---- placed memory: rank 0's, filled by other ranks ------------------------------------------ */

/*
 * Rank 0: `rank` has committed [address, address+bytes) of a block of the global heap, and has
 * written it. What is on pages shared with others comes at once; the rest stays there, pending as
 * by a lazy copy, until somebody touches it here.
 * dsm_place_drop, on that rank: nobody wants them.
 */
void dsm_place(void *address, size_t bytes, int rank);
void dsm_place_drop(const void *address, size_t bytes);

/* Rank 0. The rank that still has all of [low, high), as it is; 0: none has any of it; -1: it is
 * not all of one rank. dsm_placed_with: some of what a rank (-1: any) has, and how much. */
int dsm_placed_on(const char *low, const char *high);
int dsm_placed_with(int rank, struct dsm_range *ranges, int most);

/* Rank 0: what has come since is over. With `forget` the ranks that had it give up its pages before
 * the next command; not where a region that is over may have put its arrays on them. */
void dsm_placed_tidy(bool forget);

/* ---- arrays ---------------------------------------------------------------------------------- */

enum dsm_mode { DSM_VIEW, DSM_INPLACE };

/* What an array is. VIEW needs pieces == 1 and row_stride == piece_bytes > 0. */
struct dsm_layout {
    const char *name;   /* for messages */
    enum dsm_mode mode; /* how ranks reach it, and what of it they have */
    char *base;         /* row v (0 <= v < nrows) starts at base + v * row_stride, or at table[v] */
    char **table;       /* nrows entries; or NULL */
    char **piece_table; /* INPLACE only, base and table NULL: piece i of row v stands at
                         * piece_table[i] + v * row_stride; or NULL */
    long nrows;         /* rows of the array, in the order of its parts */
    long row_stride, pieces, piece_bytes, piece_stride; /* a row is pieces of piece_bytes, so far
                                                         * apart */
    size_t element_size;                                /* for messages */
    const uint32_t *order;                              /* position -> v; NULL = identity */
    bool lasting;     /* the order outlives the array, and is not copied */
    int nparts;       /* into how many parts they are cut */
    const long *cuts; /* nparts + 1 positions: part p is [cuts[p], cuts[p + 1]) */
    const int *owner; /* per part: its first owner */
    bool written;     /* the region may write it */
    bool travels; /* parts go from rank to rank in a region; such a view is one memory for all ranks
                   * of a host, where that is possible */
    bool spare;   /* home's pages are given back to the system while it is lent or pending */
};

struct dsm_array;

/* Collective; copies the layout. Home is valid, no part is anywhere yet. */
struct dsm_array *dsm_array_new(const struct dsm_layout *layout);

/* Collective. The home copy must be valid (dsm_array_collect before). */
void dsm_array_free(struct dsm_array *array);

/*
 * The address the body uses as the array's base on this rank: the view's for position 0, or the
 * home base. In a view a row is addressed by its position, not by v. One rank: always the home
 * base, rows addressed by v.
 */
char *dsm_array_base(const struct dsm_array *array);

/*
 * Collective, inside a command's handler on ranks > 0: moves parts from home to their owners,
 * unless the stores are valid. Afterwards home is valid for reading only if the array is not
 * `written`.
 */
void dsm_array_distribute(struct dsm_array *array);

/*
 * Rank 0, outside of any collective: serial code is about to run. In VIEW mode the home pages of a
 * written array become unreadable and the first touch collects; partial pages and INPLACE arrays
 * are collected at once. dsm_array_collect does it now. A later write to the home copy marks the
 * stores stale.
 */
void dsm_array_release(struct dsm_array *array);
void dsm_array_collect(struct dsm_array *array);

/* Parts in motion. Local; the sender must own the part, which it loses at once (pages given back
 * when the message has left). Tag: the caller's, unique among parts under way between two ranks. */
struct dsm_request *dsm_part_send(struct dsm_array *array, int part, int to, int tag);
struct dsm_request *dsm_part_receive(struct dsm_array *array, int part, int from, int tag);

/*
 * The same from and to memory of a device, where the part's rows stand at `there` one behind the
 * other; the stores stay behind (dsm_store_on_device). Both sides, where dsm_part_direct: it is the
 * same on all ranks.
 */
bool dsm_part_direct(const struct dsm_array *array);
struct dsm_request *dsm_part_send_from(struct dsm_array *array, int part, int to, int tag,
                                       const char *there);
struct dsm_request *dsm_part_receive_at(struct dsm_array *array, int part, int from, int tag,
                                        char *there);

int dsm_part_owner(const struct dsm_array *array, int part); /* -1: not on this rank */

/*
 * For tests. Local, any thread, nobody touches the part meanwhile: a part of a view that is here
 * becomes unreadable until it is woken, or sent; one that is not, or rests, stays as it is. All are
 * awake when the array is settled.
 */
void dsm_part_rest(struct dsm_array *array, int part);
void dsm_part_wake(struct dsm_array *array, int part);

/*
 * Parts of which only some rows move, in messages of their own. `at`: their places inside of the
 * part, rising; it lives until the request is gone. Local. A rank sends rows of a part that is
 * here, then the part leaves; with `keep` its pages stay, for rows that have not gone anywhere. It
 * enters, rows are received, and then it is here. Which rows go where is the caller's to know, on
 * both sides alike; all must have come together on one rank before dsm_array_settle.
 */
struct dsm_rows {
    int part;
    long count;
    const uint32_t *at;
};

struct dsm_request *dsm_rows_send(struct dsm_array *array, const struct dsm_rows *rows, int to,
                                  int tag);
struct dsm_request *dsm_rows_receive(struct dsm_array *array, const struct dsm_rows *rows, int from,
                                     int tag);
void dsm_part_leave(struct dsm_array *array, int part, bool keep);
void dsm_part_enter(struct dsm_array *array, int part);
void dsm_part_here(struct dsm_array *array, int part);

/* Between these ranks rows stay where they are: their host has one memory for the array. As far as
 * this rank knows. */
bool dsm_rows_stay(const struct dsm_array *array, int from, int to);

/*
 * Local. Written rows of this rank's parts are elsewhere, on a device, and stay there when a region
 * ends: `fetch` brings those of part `part` that stand at [low, low + bytes) of the store before
 * anybody reads it there; as a dsm_lazy_fetch it may be called by the fault handler.
 * dsm_store_on_device replaces what was said before; false: of this array all has to be brought
 * when a region ends. dsm_store_back: the store counts. While a region runs the caller brings what
 * leaves.
 */
typedef void dsm_store_fetch(void *data, const struct dsm_array *array, int part, char *low,
                             size_t bytes);
bool dsm_store_on_device(struct dsm_array *array, dsm_store_fetch *fetch, void *data);
void dsm_store_back(struct dsm_array *array);

/* Local: another number whenever the stores are filled from home;
 * no two arrays ever have the same. */
uint64_t dsm_store_stamp(const struct dsm_array *array);

/* Local: how many parts there are; the addresses that hold all rows on this rank, absent ones
 * included; the memory of a part's rows, stretch by stretch. */
int dsm_array_parts(const struct dsm_array *array);
struct dsm_range dsm_array_span(const struct dsm_array *array);
void dsm_part_ranges(const struct dsm_array *array, int part,
                     void (*see)(void *data, char *low, size_t bytes), void *data);

/*
 * Collective at the end of a region: every rank says which parts it now owns, so that collects know
 * whom to ask.
 */
void dsm_array_settle(struct dsm_array *array);

/* A fault that is not ours, on any thread: `leave` may jump out of what the thread is at, or comes
 * back. NULL: none. */
void dsm_fault_leave(void (*leave)(int signal_number));

/* ---- who is running: named in fault reports -------------------------------------------------- */

/* Per thread; `where` e.g. "mf.c:41" must live on. row, column < 0: not in a block. */
void dsm_set_context(const char *where, long row, long column);

/* ---- figures --------------------------------------------------------------------------------- */

/* bytes_far: of bytes_sent, those to ranks on other hosts. */
struct dsm_counters {
    uint64_t messages, bytes_sent, bytes_far, bytes_received, faults, collects, distributes;
    double wait_seconds;
};

void dsm_counters_get(struct dsm_counters *counters);

/* What this rank is at, for who watches it. `steps`: messages that were over when they were asked
 * for; `asked`: how often one was not; `peer`: the rank it was to or from, DSM_ALL at the end of
 * the job. Any thread. */
enum { DSM_ALL = -2 };
struct dsm_activity {
    uint64_t steps, asked;
    int peer;
};
void dsm_activity_get(struct dsm_activity *activity);

/* What the kernel says of this process: who traces it (0: nobody); bytes of pages that are here and no
 * file's, of shared memory, of the most that were here. -1: it does not say. Allocates nothing. */
enum dsm_process_number {
    DSM_PROCESS_TRACER,
    DSM_PROCESS_ANONYMOUS,
    DSM_PROCESS_SHARED,
    DSM_PROCESS_PEAK
};
long dsm_process_number(enum dsm_process_number which);
/* Bytes of pages that are here, those of files, too, or not; 0: it does not say. */
size_t dsm_process_bytes(bool files);

#endif
