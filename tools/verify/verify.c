/* The parallel answer against itself and against the serial text, bit by bit. */
#include "tools/verify/verify.h"

#include "tools/base/status.h"
#include "tools/run/launch.h"
#include "tools/verify/verify_compare.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the failed run said, as far as it fits a screen. */
static void print_tail(const char *path) {
    FILE *in = fopen(path, "r");
    char line[512];
    long lines = 0, seen = 0;
    while (in && fgets(line, sizeof line, in))
        ++lines;
    if (in)
        rewind(in);
    while (in && fgets(line, sizeof line, in))
        if (seen++ >= lines - 20)
            fprintf(stderr, "  | %s", line);
    if (in)
        fclose(in);
}

/*
 * The global heap of several ranks starts as zeros; one rank has the C library's, where memory that
 * the program never wrote holds anything. mallopt(3): with 255 it is filled with zeros as well.
 */
static void still_memory(const struct launch *launch) {
    if (launch->ranks <= 1)
        setenv("MALLOC_PERTURB_", "255", 1);
    else
        unsetenv("MALLOC_PERTURB_");
}

/* One run of the program that leaves its record in `record`. 0, or 1 after a message. */
static int run_once(struct verify_request *request, const struct launch *launch, const char *replay,
                    const char *record, const char *what) {
    unlink(record);
    still_memory(launch);
    setenv("ORRERY_VERIFY", record, 1);
    setenv("ORRERY_AUTO_US", request->as_written ? "1000000000" : "0", 1);
    if (replay)
        setenv("ORRERY_REPLAY", replay, 1);
    else
        unsetenv("ORRERY_REPLAY");
    int status = launch_run(request->arena, "verify", launch);
    ++request->nruns;
    if (status == 0)
        return 0;
    fprintf(stderr, "orrery verify: %s: the program ended with status %d\n", what, status);
    print_tail(request->output);
    return 1;
}

static struct launch make_launch(const struct verify_request *request, long ranks, long threads) {
    return (struct launch){.ranks = ranks,
                           .threads = threads,
                           .timeout = request->timeout,
                           .oversubscribe = true,
                           .output = request->output,
                           .program = request->program};
}

static const char *count_text(struct arena *arena, long count, const char *unit) {
    return arena_printf(arena, "%ld %s%s", count, unit, count == 1 ? "" : "s");
}

/* That all runs on so many had the same bits; nothing where none were asked for. */
static void say_same(const struct verify_request *request, const char *how, const char *units,
                     int n, const char *counts) {
    if (n)
        printf("  %s%s %s, %ld run%s each: same bits\n", how, units, counts, request->runs,
               request->runs == 1 ? "" : "s");
    fflush(stdout);
}

/* `runs` runs of one configuration against the reference. */
static int check_configuration(struct verify_request *request, long ranks, long threads) {
    struct launch launch = make_launch(request, ranks, threads);
    for (long run = 1; run <= request->runs; ++run) {
        const char *what = arena_printf(request->arena, "%s (run %ld)",
                                        ranks ? count_text(request->arena, ranks, "rank")
                                              : count_text(request->arena, threads, "thread"),
                                        run);
        if (run_once(request, &launch, NULL, request->record, what) != 0)
            return 1;
        if (verify_compare(request->reference, request->record, what, false, &request->tally) != 0)
            return 1;
    }
    return 0;
}

/* `how`: what is said before. */
static int check_ranks(struct verify_request *request, const char *how) {
    for (int i = 0; i < request->nranks; ++i)
        if (check_configuration(request, request->ranks[i], 1) != 0)
            return 1;
    say_same(request, how, "ranks", request->nranks, request->ranks_text);
    return 0;
}

/* ---- loops on a GPU -------------------------------------------------------------------------- */

bool verify_on_device(const struct verify_request *request) {
    return request->target && strcmp(request->target, "gpu") == 0;
}

/* ORRERY_DEBUG says `words` besides what the user's says; the last of a name counts. */
static void set_debug(const struct verify_request *request, const char *words) {
    setenv("ORRERY_DEBUG", arena_printf(request->arena, "%s,%s", request->debug, words), 1);
}

/* One run with so many blocks, and in another order of the lanes on the host shim. */
static int check_blocks(struct verify_request *request, const char *sums, long blocks,
                        long shuffle) {
    struct launch launch = make_launch(request, 0, 1);
    const char *what = arena_printf(request->arena, "%s of four warps%s",
                                    count_text(request->arena, blocks, "block"),
                                    shuffle ? ", lanes in another order" : "");
    set_debug(request, arena_printf(request->arena, "gpu_sums=%s,gpu_blocks=%ld,gpu_shuffle=%ld",
                                    sums, blocks, shuffle));
    if (run_once(request, &launch, NULL, request->record, what) != 0)
        return 1;
    return verify_compare(request->reference, request->record, what, false, &request->tally);
}

/* `sums`: serial or tree (ORRERY_DEBUG=gpu_sums), in force. The reference was made with them. */
static int check_device(struct verify_request *request, const char *sums) {
    for (long run = 1; run <= request->runs; ++run)
        for (int i = 0; i < request->nthreads; ++i)
            if (check_blocks(request, sums, request->threads[i], i % 2 ? run : 0) != 0)
                return 1;
    set_debug(request, arena_printf(request->arena, "gpu_sums=%s", sums));
    const char *how = arena_printf(request->arena, "%s sums, ", sums);
    say_same(request, how, "blocks", request->nthreads, request->threads_text);
    return check_ranks(request, how);
}

/* The sums that a GPU takes for speed: they have bits of their own. Held against a run whose rows
 * are all loaded from memory, as they are with serial sums. */
static int check_tree(struct verify_request *request) {
    struct launch launch = make_launch(request, 0, 1);
    set_debug(request, "gpu_sums=tree,gpu_keep=0");
    if (run_once(request, &launch, NULL, request->reference, "sums by tree") != 0)
        return 1;
    set_debug(request, "gpu_sums=tree");
    return check_device(request, "tree");
}

static int check_parallel(struct verify_request *request) {
    if (verify_on_device(request))
        return check_device(request, "serial");
    for (int i = 0; i < request->nthreads; ++i)
        if (check_configuration(request, 0, request->threads[i]) != 0)
            return 1;
    say_same(request, "", "threads", request->nthreads, request->threads_text);
    return check_ranks(request, "");
}

/* The unmodified serial body in two different orders that the plan allows. */
static int check_replay(struct verify_request *request, const struct verify_summary *summary) {
    static const char *const orders[] = {"forward", "reverse"};
    if (summary->contraction) {
        fprintf(stderr, "orrery verify: the replay of the serial loop is refused: the program was "
                        "built with -ffast-math\n  or floating-point contraction, so its bits need "
                        "not be those of the serial text.\n  Build without, or say --no-replay to "
                        "compare threads and ranks only.\n");
        return 1;
    }
    struct launch launch = make_launch(request, 0, 1);
    for (int i = 0; i < 2; ++i) {
        const char *what = arena_printf(request->arena, "serial loop in plan order, %s", orders[i]);
        if (run_once(request, &launch, orders[i], request->record, what) != 0)
            return 1;
        if (verify_compare(request->reference, request->record, what, true, &request->replayed) !=
            0)
            return 1;
    }
    printf("  the unmodified serial loop in plan order, forward and reverse: same bits%s\n",
           request->replayed.rounded ? "" : " as well");
    if (summary->merged_name[0])
        printf(
            "  (not as the serial loop runs it: relaxed and buffered arrays, the first is %s, are\n"
            "  seen as they were at the last merge, or late statements behind, in the replay, "
            "too)\n",
            summary->merged_name);
    if (request->replayed.rounded)
        printf("  (but for %llu floating-point reductions, folded per block: equal within "
               "rounding)\n",
               (unsigned long long)request->replayed.rounded);
    return 0;
}

/* ---- loops that nobody marked ---------------------------------------------------------------- */

/* What the newest run printed; NULL: it cannot be read. */
static const char *printed(const struct verify_request *request) {
    FILE *in = fopen(request->output, "rb");
    struct arena *arena = request->arena;
    char *text = NULL;
    long bytes = in && fseek(in, 0, SEEK_END) == 0 ? ftell(in) : -1;
    if (bytes >= 0 && fseek(in, 0, SEEK_SET) == 0) {
        text = arena_alloc(arena, (size_t)bytes + 1);
        text[fread(text, 1, (size_t)bytes, in)] = 0;
    }
    if (in)
        fclose(in);
    return text;
}

static bool print_the_same(const char *a, const char *b) {
    return a && b && strcmp(a, b) == 0;
}

/*
 * Loops that were transformed are parallel in other words than the user's, which all the runs so far
 * had. In this run they are the user's. What the program prints is compared, where two runs print the
 * same at all.
 */
static int check_as_written(struct verify_request *request) {
    struct launch launch = make_launch(request, 0, 1);
    const char *texts[3] = {NULL};
    for (int i = 0; i < 3; ++i) {
        request->as_written = i == 2;
        if (run_once(request, &launch, NULL, request->record,
                     i == 2 ? "unmarked loops as they are written" : "1 thread") != 0)
            return 1;
        texts[i] = printed(request);
    }
    request->as_written = false;
    if (!print_the_same(texts[0], texts[1])) {
        printf(
            "  NOT compared with unmarked loops as they are written: the program prints something "
            "else each time\n");
        return 0;
    }
    if (print_the_same(texts[0], texts[2])) {
        printf("  unmarked loops as they are written: the same is printed\n");
        return 0;
    }
    fprintf(stderr,
            "different: the program prints something else when its unmarked loops run as they "
            "are written\n");
    return 1;
}

static void print_header(const struct verify_request *request,
                         const struct verify_summary *summary) {
    printf("orrery verify: %s: %llu parallel region%s, %llu arrays and reductions, %llu bytes per "
           "run\n",
           request->program.items[0], (unsigned long long)summary->regions,
           summary->regions == 1 ? "" : "s", (unsigned long long)summary->items,
           (unsigned long long)summary->bytes);
    if (summary->unknown)
        fprintf(request->quiet ? stderr : stdout,
                "  NOT compared: %s (its size is not known; extent(%s : n) would tell)\n",
                summary->unknown_name, summary->unknown_name);
    fflush(stdout);
}

/* What the last run said of sums that a kernel takes by tree: it held each against the sum in the
 * serial order. */
static void print_sums(const struct verify_request *request) {
    static const char start[] = "orrery: sums across lanes: ";
    char line[256];
    FILE *in = fopen(request->output, "r");
    while (in && fgets(line, sizeof line, in))
        if (strncmp(line, start, sizeof start - 1) == 0)
            printf("  sums across lanes: %s", line + sizeof start - 1);
    if (in)
        fclose(in);
}

/* requires: the temporary folder. The reference is one thread, or one run of the device with sums
 * in the serial order; everything else is held against it. */
static int verify(struct verify_request *request) {
    struct launch launch = make_launch(request, 0, 1);
    struct verify_summary summary;
    if (verify_on_device(request))
        set_debug(request, "gpu_sums=serial");
    if (run_once(request, &launch, NULL, request->reference,
                 verify_on_device(request) ? "the device" : "1 thread") != 0)
        return STATUS_INPUT;
    if (verify_summarize(request->reference, &summary) != 0)
        return STATUS_INPUT;
    if (summary.items == summary.unknown) {
        fprintf(stderr, "orrery verify: the program recorded nothing that could be compared\n");
        return STATUS_INPUT;
    }
    print_header(request, &summary);
    if (verify_on_device(request))
        print_sums(request);
    int wrong = check_parallel(request);
    if (!request->no_replay && check_replay(request, &summary) != 0)
        wrong = 1;
    if (summary.automatic && !summary.contraction && !verify_on_device(request) &&
        check_as_written(request) != 0)
        wrong = 1;
    if (verify_on_device(request) && !wrong)
        wrong = check_tree(request);
    uint64_t between = request->tally.between + request->replayed.between;
    uint64_t alone = request->tally.alone + request->replayed.alone;
    if (alone)
        fprintf(request->quiet ? stderr : stdout,
                "  NOT compared: %" PRIu64 " executions of loops that nobody marked, which were "
                "serial on some ranks or threads\n",
                alone);
    printf("%s: %d runs, %" PRIu64 " regions and %" PRIu64 " bytes compared%s%s\n",
           wrong ? "FAILED" : "verified", request->nruns,
           request->tally.regions + request->replayed.regions,
           request->tally.bytes + request->replayed.bytes,
           between ? arena_printf(request->arena, ", %" PRIu64 " times between passes or merges",
                                  between)
                   : "",
           request->no_replay ? "; the serial text was not replayed" : "");
    return wrong ? STATUS_INPUT : STATUS_OK;
}

/* ---- around it ------------------------------------------------------------------------------- */

int verify_run(struct verify_request *request) {
    const char *base = getenv("TMPDIR");
    char *folder =
        arena_printf(request->arena, "%s/orrery-verify.XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        fprintf(stderr, "orrery verify: cannot make a temporary folder %s: %s\n", folder,
                strerror(errno));
        return STATUS_INPUT;
    }
    request->folder = folder;
    const char *debug = getenv("ORRERY_DEBUG");
    request->debug = debug ? debug : "";
    request->reference = arena_printf(request->arena, "%s/reference", folder);
    request->record = arena_printf(request->arena, "%s/record", folder);
    request->output = arena_printf(request->arena, "%s/output", folder);
    int status = verify(request);
    unlink(request->reference);
    unlink(request->record);
    unlink(request->output);
    rmdir(folder);
    return status;
}
