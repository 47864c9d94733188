/* `orrery verify`: the parallel answer against itself and against the serial text, bit by bit. */
#include "cli/command.h"
#include "cli/options.h"
#include "tools/run/launch.h"
#include "tools/verify/accesses.h"
#include "tools/verify/verify_compare.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * `threads`, `ranks`: how many to try. `folder`: temporary, with the records and outputs of runs.
 * `tally`: parallel runs against each other; `replayed`: against the serial text.
 */
struct verify_request {
    struct arena *arena;
    const char *threads_text, *ranks_text, *target;
    long *threads, *ranks;
    int nthreads, nranks;
    long runs, timeout;
    bool no_replay, accesses;
    const char *from, *format;
    struct arg_list program;
    const char *folder, *reference, *record, *output;
    struct verify_tally tally, replayed;
    int nruns;
};

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
    setenv("ORRERY_AUTO_US", "0", 1);
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

/* ---- loops on a GPU -------------------------------------------------------------------------- */

static bool on_device(const struct verify_request *request) {
    return request->target && strcmp(request->target, "gpu") == 0;
}

static void set_number(struct arena *arena, const char *name, long value) {
    setenv(name, arena_printf(arena, "%ld", value), 1);
}

/* One run with so many blocks, and in another order of the lanes on the host shim. */
static int check_blocks(struct verify_request *request, long blocks, long shuffle) {
    struct launch launch = make_launch(request, 0, 1);
    const char *what = arena_printf(request->arena, "%s of four warps%s",
                                    count_text(request->arena, blocks, "block"),
                                    shuffle ? ", lanes in another order" : "");
    set_number(request->arena, "ORRERY_GPU_BLOCKS", blocks);
    set_number(request->arena, "ORRERY_GPU_SHUFFLE", shuffle);
    if (run_once(request, &launch, NULL, request->record, what) != 0)
        return 1;
    return verify_compare(request->reference, request->record, what, false, &request->tally);
}

/* `sums`: serial or tree (ORRERY_GPU_SUMS), in force. The reference was made with them. */
static int check_device(struct verify_request *request, const char *sums) {
    static const long blocks[] = {1, 2, 3, 7};
    for (long run = 1; run <= request->runs; ++run)
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i)
            if (check_blocks(request, blocks[i], i % 2 ? run : 0) != 0)
                return 1;
    unsetenv("ORRERY_GPU_BLOCKS");
    unsetenv("ORRERY_GPU_SHUFFLE");
    printf("  %s sums, blocks 1,2,3,7, %ld run%s each: same bits\n", sums, request->runs,
           request->runs == 1 ? "" : "s");
    fflush(stdout);
    for (int i = 0; i < request->nranks; ++i)
        if (check_configuration(request, request->ranks[i], 1) != 0)
            return 1;
    if (request->nranks)
        printf("  %s sums, ranks %s, %ld run%s each: same bits\n", sums, request->ranks_text,
               request->runs, request->runs == 1 ? "" : "s");
    return 0;
}

/* The sums that a GPU takes for speed: they have bits of their own. Held against a run whose rows
 * are all loaded from memory, as they are with serial sums. */
static int check_tree(struct verify_request *request) {
    struct launch launch = make_launch(request, 0, 1);
    setenv("ORRERY_GPU_SUMS", "tree", 1);
    setenv("ORRERY_GPU_KEEP", "0", 1);
    if (run_once(request, &launch, NULL, request->reference, "sums by tree") != 0)
        return 1;
    unsetenv("ORRERY_GPU_KEEP");
    return check_device(request, "tree");
}

static int check_parallel(struct verify_request *request) {
    if (on_device(request))
        return check_device(request, "serial");
    for (int i = 0; i < request->nthreads; ++i)
        if (check_configuration(request, 0, request->threads[i]) != 0)
            return 1;
    if (request->nthreads)
        printf("  threads %s, %ld run%s each: same bits\n", request->threads_text, request->runs,
               request->runs == 1 ? "" : "s");
    fflush(stdout);
    for (int i = 0; i < request->nranks; ++i)
        if (check_configuration(request, request->ranks[i], 1) != 0)
            return 1;
    if (request->nranks)
        printf("  ranks %s, %ld run%s each: same bits\n", request->ranks_text, request->runs,
               request->runs == 1 ? "" : "s");
    return 0;
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

static void print_header(const struct verify_request *request,
                         const struct verify_summary *summary) {
    printf("orrery verify: %s: %llu parallel region%s, %llu arrays and reductions, %llu bytes per "
           "run\n",
           request->program.items[0], (unsigned long long)summary->regions,
           summary->regions == 1 ? "" : "s", (unsigned long long)summary->items,
           (unsigned long long)summary->bytes);
    if (summary->unknown)
        printf("  NOT compared: %s (its size is not known; extent(%s : n) would tell)\n",
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
    if (on_device(request))
        setenv("ORRERY_GPU_SUMS", "serial", 1);
    if (run_once(request, &launch, NULL, request->reference,
                 on_device(request) ? "the device" : "1 thread") != 0)
        return STATUS_INPUT;
    if (verify_summarize(request->reference, &summary) != 0)
        return STATUS_INPUT;
    if (summary.items == summary.unknown) {
        fprintf(stderr, "orrery verify: the program recorded nothing that could be compared\n");
        return STATUS_INPUT;
    }
    print_header(request, &summary);
    if (on_device(request))
        print_sums(request);
    int wrong = check_parallel(request);
    if (!request->no_replay && check_replay(request, &summary) != 0)
        wrong = 1;
    if (on_device(request) && !wrong)
        wrong = check_tree(request);
    uint64_t between = request->tally.between + request->replayed.between;
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

static int with_folder(struct verify_request *request) {
    const char *base = getenv("TMPDIR");
    char *folder =
        arena_printf(request->arena, "%s/orrery-verify.XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        fprintf(stderr, "orrery verify: cannot make a temporary folder %s: %s\n", folder,
                strerror(errno));
        return STATUS_INPUT;
    }
    request->folder = folder;
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

/* "0" or "" stands for none. */
static int parse_counts(struct verify_request *request, const struct option_set *set,
                        const char *name, const char *text, long **counts) {
    if (strcmp(text, "0") == 0 || !*text)
        return 0;
    int count = options_number_list(request->arena, text, counts);
    if (count == 0)
        options_complain(set, "%s: '%s' is no list like 1,2,4", name, text);
    return count ? count : -1;
}

static int prepare(struct verify_request *request, const struct option_set *set) {
    if (request->target && !on_device(request) && strcmp(request->target, "cpu") != 0)
        return options_complain(set, "-target: '%s' is neither cpu nor gpu", request->target);
    if (!request->ranks_text)
        request->ranks_text = on_device(request) ? "0" : "1,2,3,4";
    request->nthreads =
        parse_counts(request, set, "--threads", request->threads_text, &request->threads);
    request->nranks = parse_counts(request, set, "--ranks", request->ranks_text, &request->ranks);
    if (request->nthreads < 0 || request->nranks < 0)
        return STATUS_USAGE;
    if (request->program.count == 0)
        return options_complain(set, "no program");
    const char *path = launch_find(request->arena, "verify", request->program.items[0]);
    if (!path)
        return STATUS_USAGE;
    request->program.items[0] = path;
    return -1;
}

static int with_accesses(const struct verify_request *request, const struct option_set *set) {
    if (request->program.count == 0 && !request->from)
        return options_complain(set, "no program");
    return accesses_verify(&(struct accesses_request){.arena = request->arena,
                                                      .from = request->from,
                                                      .format = request->format,
                                                      .timeout = request->timeout,
                                                      .nprogram = request->program.count,
                                                      .program = request->program.items});
}

int command_verify(int argc, char **argv) {
    struct arena *arena = arena_new();
    struct verify_request request = {.arena = arena,
                                     .threads_text = "1,2,3,4,8",
                                     .runs = 3,
                                     .timeout = 600,
                                     .format = "text",
                                     .program = {.arena = arena}};
    const struct option_spec specs[] = {
        {"--threads", OPTION_TEXT, "LIST", "thread counts (default 1,2,3,4,8; 0: none)",
         &request.threads_text},
        {"--ranks", OPTION_TEXT, "LIST", "rank counts (default 1,2,3,4, of a GPU none; 0: none)",
         &request.ranks_text},
        {"--runs", OPTION_NUMBER, "N", "runs of each (default 3)", &request.runs},
        {"-target", OPTION_TEXT, "cpu|gpu", "gpu: numbers of blocks in place of threads and ranks",
         &request.target},
        {"--no-replay", OPTION_FLAG, NULL, "do not replay the serial loop", &request.no_replay},
        {"--accesses", OPTION_FLAG, NULL,
         "of a program that 'orrery-cc -accesses' built: do iterations meet where they may not?",
         &request.accesses},
        {"--format", OPTION_CHOICE, "text|json", "what --accesses prints", &request.format},
        {"--from", OPTION_TEXT, "FOLDER",
         "--accesses: what runs with ORRERY_ACCESSES=FOLDER wrote; runs nothing", &request.from},
        {"--timeout", OPTION_NUMBER, "S", "seconds for one run (default 600)", &request.timeout},
    };
    const struct option_set set = {
        .command = "verify",
        .usage = "orrery verify [options] [--] PROGRAM [arguments]",
        .about =
            "Runs a program that orrery-cc built on several numbers of threads and ranks, and "
            "with\n"
            "its unmodified serial loops replayed in two orders that the plan allows, and "
            "compares\n"
            "every array and reduction after every parallel loop, bit by bit. Take a small input:\n"
            "the program runs some thirty times. Its standard output is not shown.\n"
            "Exit status: 0 the same everywhere, 1 different or failed, 2 wrong usage.",
        .examples = "  orrery verify ./mf ratings.csv\n"
                    "  orrery verify --threads 1,2 --ranks 2 --runs 1 -- ./mf --epochs 2 part.csv",
        .nspecs = sizeof specs / sizeof *specs,
        .specs = specs,
        .program = true,
    };
    int status = options_parse(&set, argc, argv, &request.program);
    if (status < 0 && request.accesses)
        status = with_accesses(&request, &set);
    if (status < 0)
        status = prepare(&request, &set);
    if (status < 0)
        status = with_folder(&request);
    arena_free(arena);
    return status;
}
