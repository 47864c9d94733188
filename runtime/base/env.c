#include "runtime/base/env.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
    KIND_COUNT,
    KIND_LARGE,
    KIND_SEED,
    KIND_GRID,
    KIND_CHOICE,
    KIND_PATH,
    KIND_EVERY,
    KIND_TORTURE,
    KIND_SIZE,
    KIND_DEBUG,
    KIND_TOOL
};

/*
 * One variable. `offset`: where its value goes in struct orrery_tunables. `choices`: the words of a
 * KIND_CHOICE, the value is the index. KIND_TOOL: read by the commands, known here and no more.
 * KIND_DEBUG: a list of words `name=value`, each a row of `words`.
 */
struct tunable {
    const char *name;
    enum kind kind;
    size_t offset;
    const char *preset;
    const char *const *choices;
    const char *help;
};

static const char *const transports[] = {"auto", "self", "mpi", NULL};
static const char *const switches[] = {"0", "1", "auto", NULL};
static const char *const booleans[] = {"0", "1", NULL};
static const char *const sums[] = {"tree", "serial", NULL};
static const char *const serves[] = {"auto", "never", "always", NULL};
static const char *const rotates[] = {"auto", "whole", "touched", NULL};
static const char *const deals[] = {"auto", "never", NULL};
static const char *const loads[] = {"auto", "alone", "ranks", NULL};
static const char *const replays[] = {"off", "forward", "reverse", NULL};

#define AT(field) offsetof(struct orrery_tunables, field)

static const struct tunable table[] = {
    {"ORRERY_THREADS", KIND_COUNT, AT(threads), "0", NULL,
     "worker threads per rank; 0 = the cores this rank may use"},
    {"ORRERY_STACK", KIND_LARGE, AT(stack), "0", NULL,
     "megabytes of stack of a worker thread; 0 = the program's limit (ulimit -s), 1024 where it is "
     "unlimited"},
    {"ORRERY_TRANSPORT", KIND_CHOICE, AT(transport), "auto", transports,
     "how ranks talk: auto, self (one rank) or mpi"},
    {"ORRERY_GRID", KIND_GRID, AT(rows), "0x0", NULL,
     "rows x parts of every other dim of the block grid, for loops whose plan leaves it open; 0 = "
     "from the data"},
    {"ORRERY_VISITS", KIND_COUNT, AT(visits), "0", NULL,
     "times that a pass of an unordered rotation goes round the grid, each with a share of every "
     "block's iterations; 0 = from the data, 4 at most"},
    {"ORRERY_SEED", KIND_SEED, AT(seed), "", NULL, "seed of the key order; replaces the plan's"},
    {"ORRERY_STATS", KIND_CHOICE, AT(stats), "0", booleans, "1 = a summary on stderr at the end"},
    {"ORRERY_TRACE", KIND_PATH, AT(trace), "", NULL, "file for a Chrome trace of the run"},
    {"ORRERY_LINKS", KIND_PATH, AT(links), "", NULL,
     "file for the cluster's links as they were measured when the ranks began"},
    {"ORRERY_PROFILE", KIND_PATH, AT(profile), "", NULL,
     "file for the figures that orrery simulate works on"},
    {"ORRERY_PROGRESS", KIND_CHOICE, AT(progress), "auto", switches,
     "progress line on stderr: 0, 1, or auto (only on a terminal)"},
    {"ORRERY_AUTO_US", KIND_LARGE, AT(auto_us), "5", NULL,
     "loops of orrery-cc -auto are tried in parallel, and timed, from so many microseconds of "
     "estimated work; 0 = always in parallel"},
    {"ORRERY_SHARED", KIND_CHOICE, AT(shared), "1", booleans,
     "0 = ranks of one host share no pages, as if each had a host of its own"},
    {"ORRERY_BIND", KIND_CHOICE, AT(bind), "auto", switches,
     "bind workers to cores: 0, 1, or auto (when this rank has its cores to itself)"},
    {"ORRERY_MEMORY", KIND_LARGE, AT(memory), "0", NULL,
     "megabytes of arrays that each rank may have: serial code works within them, loops that need "
     "more are refused, ranks that had more end the run; 0 = no limit"},
    {"ORRERY_SPILL", KIND_PATH, AT(spill), "", NULL,
     "folder, on a disk, for files of what does not fit into ORRERY_MEMORY (one rank, 0: three "
     "quarters of the machine's) and is not in use (orrery run --spill)"},
    {"ORRERY_MOST_CHANGE", KIND_SIZE, AT(most_change), "0", NULL,
     "relaxed and buffered arrays: a row's change of an element beyond this is refused; 0 = any "
     "that is finite"},
    {"ORRERY_VERIFY", KIND_PATH, AT(verify), "", NULL,
     "file that gets every written array after every region (orrery verify)"},
    {"ORRERY_CHECKPOINT", KIND_PATH, AT(checkpoint), "", NULL,
     "folder for checkpoints, and to go on from (orrery run --checkpoint)"},
    {"ORRERY_BOARD", KIND_PATH, AT(heartbeat), "", NULL,
     "folder where ranks say where they are (orrery run)"},
    {"ORRERY_WATCH", KIND_PATH, AT(watch), "", NULL,
     "TOKEN@ADDRESS:PORT,... of the orrery run that ranks of other hosts tell where they are"},
    {"ORRERY_EVERY", KIND_EVERY, AT(every_passes), "1pass", NULL,
     "how often to write one: 1pass, 10passes, 300s, 5m"},
    {"ORRERY_STANDBY", KIND_CHOICE, AT(standby), "0", booleans,
     "1 = run to the loop over passes, and wait there until the job that runs is lost (orrery run "
     "--standby)"},
    {"ORRERY_REPLAY", KIND_CHOICE, AT(replay), "off", replays,
     "run the unmodified serial body in plan order: off, forward or reverse (orrery verify)"},
    {"ORRERY_GPU_MEMORY", KIND_COUNT, AT(gpu_memory), "0", NULL,
     "megabytes of the device's memory to use; 0 = what is free"},
    {"ORRERY_DEBUG", KIND_DEBUG, 0, "", NULL,
     "for tests and measurements: words like bands=4,torture=7, which are listed below"},
    {"ORRERY_NVCC", KIND_TOOL, 0, "", NULL, "the CUDA compiler behind orrery-cc -target gpu"},
    {"ORRERY_NVDISASM", KIND_TOOL, 0, "", NULL, "the disassembler behind orrery simulate --gpu"},
    {"ORRERY_ACCESSES", KIND_TOOL, 0, "", NULL,
     "folder for what programs of orrery-cc -accesses record"},
    {"ORRERY_CC", KIND_TOOL, 0, "", NULL, "the C compiler behind orrery-cc"},
    {"ORRERY_LIBDIR", KIND_TOOL, 0, "", NULL, "where liborrery and the MPI transport are"},
    {"ORRERY_INCLUDEDIR", KIND_TOOL, 0, "", NULL, "where orrery-cc finds the headers"},
    {"ORRERY_MPIRUN", KIND_TOOL, 0, "", NULL, "the launcher behind orrery run"},
};

/* What ORRERY_DEBUG may say: `name=value`, with commas in between. */
static const struct tunable words[] = {
    {"shared", KIND_CHOICE, AT(shared), "1", booleans,
     "0 = ranks of one host send each other rows instead of sharing their pages"},
    {"bands", KIND_COUNT, AT(panels), "0", NULL,
     "wavefronts on several ranks: panels of rows that each of them has; 0 = by a model"},
    {"serve", KIND_CHOICE, AT(serve), "auto", serves,
     "several ranks: relaxed and buffered arrays are served: auto (from 1 MiB on), never or "
     "always"},
    {"rotate", KIND_CHOICE, AT(rotate), "auto", rotates,
     "rotations on several ranks: parts go from rank to rank whole, or only the rows that are "
     "touched there; auto = what is less"},
    {"load", KIND_CHOICE, AT(load), "auto", loads,
     "several ranks: who reads the files of orrery_load_*: auto (all of them, from 4 MiB on), "
     "alone "
     "(rank 0), or ranks (all of them, whatever the size)"},
    {"deal", KIND_CHOICE, AT(deal), "auto", deals,
     "several ranks: who is slow gets fewer rows of the grid: auto (when that pays) or never"},
    {"slow", KIND_COUNT, AT(slow), "0", NULL,
     "for tests, several ranks: rows go to ranks as if the last one took so many times as long as "
     "the others, whatever the clock says; 0 = by the clock"},
    {"torture", KIND_TORTURE, AT(torture), "0", NULL,
     "for tests: messages are delayed and workers pause at random, by this seed; alloc:N or "
     "alloc:N@RANK = the Nth allocation of the runtime fails; 0 = not"},
    {"evict", KIND_CHOICE, AT(evict), "0", booleans,
     "for tests, several ranks: 1 = rank 0 has a few pages of a large block at a time, whatever "
     "ORRERY_MEMORY says"},
    {"writer", KIND_CHOICE, AT(writer), "1", booleans,
     "0 = the program waits for a checkpoint to be written, instead of a child that writes it"},
    {"gpu_blocks", KIND_COUNT, AT(gpu_blocks), "0", NULL,
     "blocks of four warps that a kernel runs with; 0 = as many as the device runs at once"},
    {"gpu_sums", KIND_CHOICE, AT(gpu_in_order), "tree", sums,
     "sums across the lanes of a warp: tree, or serial (the serial loop's bits; slow)"},
    {"gpu_keep", KIND_CHOICE, AT(gpu_keep), "1", booleans,
     "0 = kernels load rows of every loop inside from memory, and keep none in registers"},
    {"gpu_stay", KIND_CHOICE, AT(gpu_stay), "1", booleans,
     "0 = what a region wrote comes back at its end, and not when the program touches it"},
    {"gpu_direct", KIND_CHOICE, AT(gpu_direct), "1", booleans,
     "0 = batons go by way of the host's memory, also where MPI takes a device's"},
    {"gpu_shuffle", KIND_COUNT, AT(gpu_shuffle), "0", NULL,
     "host shim: the lanes run in an order made of this number; 0 = one after the other"},
};

enum {
    TABLE_SIZE = sizeof table / sizeof table[0],
    WORDS = sizeof words / sizeof words[0],
    LONGEST = 256
};

static struct orrery_tunables values;

const struct orrery_tunables *orrery_env(void) {
    return &values;
}

void orrery_env_memory(long megabytes) {
    values.memory = megabytes;
}

const char *orrery_env_transport(void) {
    return transports[values.transport];
}

static void *field_of(const struct tunable *tunable) {
    return (char *)&values + tunable->offset;
}

static int parse_whole(const char *text, long most, long *value) {
    char *end;
    errno = 0;
    *value = strtol(text, &end, 10);
    return *text == 0 || *end != 0 || errno || *value < 0 || *value > most ? -1 : 0;
}

static int parse_count(const char *text, long *value) {
    return parse_whole(text, 65536, value);
}

static int parse_grid(const char *text, long *value) {
    char first[32];
    const char *cross = strchr(text, 'x');
    if (!cross || (size_t)(cross - text) >= sizeof first)
        return -1;
    memcpy(first, text, (size_t)(cross - text));
    first[cross - text] = 0;
    if (parse_count(first, &value[0]) || parse_count(cross + 1, &value[1]))
        return -1;
    return value[0] > 32768 || value[1] > 32768 ? -1 : 0;
}

static int parse_seed(const char *text, uint64_t *value) {
    char *end;
    errno = 0;
    if (*text < '0' || *text > '9')
        return -1;
    *value = strtoull(text, &end, 0);
    return *end != 0 || errno ? -1 : 0;
}

/* Passes, then seconds. */
static int parse_every(const char *text, long *value) {
    static const struct {
        const char *unit;
        int at;
        long factor;
    } units[] = {{"pass", 0, 1}, {"passes", 0, 1}, {"s", 1, 1}, {"m", 1, 60}, {"h", 1, 3600}};
    char *end;
    errno = 0;
    long count = strtol(text, &end, 10);
    if (end == text || errno || count < 1 || count > 1000000000)
        return -1;
    value[0] = value[1] = 0;
    for (size_t i = 0; i < sizeof units / sizeof *units; ++i)
        if (strcmp(end, units[i].unit) == 0)
            value[units[i].at] = count * units[i].factor;
    return value[0] || value[1] ? 0 : -1;
}

static int parse_size(const char *text, double *value) {
    char *end;
    *value = strtod(text, &end);
    return end == text || *end || !(*value >= 0 && *value <= 1e300) ? -1 : 0;
}

/* A seed; or `alloc:N`, `alloc:N@RANK`. The seed, then N, then the rank, -1 for all. */
static int parse_torture(const char *text, long *value) {
    char *end;
    value[1] = 0;
    value[2] = -1;
    if (strncmp(text, "alloc:", 6) != 0)
        return parse_count(text, value);
    errno = value[0] = 0;
    value[1] = strtol(text + 6, &end, 10);
    if (end == text + 6 || errno || value[1] < 1 || (*end && *end != '@'))
        return -1;
    return *end ? parse_count(end + 1, &value[2]) : 0;
}

static int parse_choice(const char *text, const char *const *choices, int *value) {
    for (int i = 0; choices[i]; ++i)
        if (strcmp(text, choices[i]) == 0) {
            *value = i;
            return 0;
        }
    return -1;
}

static int parse_value(const struct tunable *tunable, const char *text) {
    switch (tunable->kind) {
    case KIND_COUNT:
        return parse_count(text, field_of(tunable));
    case KIND_LARGE:
        return parse_whole(text, 1000000000, field_of(tunable));
    case KIND_GRID:
        return parse_grid(text, field_of(tunable));
    case KIND_SEED:
        values.seed_set = true;
        return parse_seed(text, field_of(tunable));
    case KIND_CHOICE:
        return parse_choice(text, tunable->choices, field_of(tunable));
    case KIND_PATH:
        *(const char **)field_of(tunable) = *text ? text : NULL;
        return 0;
    case KIND_EVERY:
        return parse_every(text, field_of(tunable));
    case KIND_TORTURE:
        return parse_torture(text, field_of(tunable));
    case KIND_SIZE:
        return parse_size(text, field_of(tunable));
    case KIND_DEBUG: /* debug_read */
    case KIND_TOOL:
        return 0;
    }
    return -1;
}

static int edit_distance(const char *a, const char *b) {
    int row[64];
    int n = (int)strnlen(b, 63);
    for (int j = 0; j <= n; ++j)
        row[j] = j;
    for (int i = 1; *a; ++a, ++i) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= n; ++j) {
            int change = corner + (*a != b[j - 1]);
            corner = row[j];
            int gap = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            row[j] = change < gap ? change : gap;
        }
    }
    return row[n];
}

static const char *nearest(const char *name) {
    const char *best = table[0].name;
    int distance = 1000;
    for (int i = 0; i < TABLE_SIZE; ++i) {
        int d = edit_distance(name, table[i].name);
        if (d < distance) {
            distance = d;
            best = table[i].name;
        }
    }
    return best;
}

static const struct tunable *find(const struct tunable *rows, int count, const char *name,
                                  size_t length) {
    for (int i = 0; i < count; ++i)
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0)
            return &rows[i];
    return NULL;
}

/* ---- ORRERY_DEBUG ---------------------------------------------------------------------------- */

static int debug_unknown(const char *word, char *message, size_t size) {
    int length =
        snprintf(message, size, "ORRERY_DEBUG: unknown word `%s`; the known ones are", word);
    for (int i = 0; i < WORDS && length > 0 && (size_t)length < size; ++i)
        length +=
            snprintf(message + length, size - (size_t)length, "%s %s", i ? "," : "", words[i].name);
    return -1;
}

/* `name=value`. */
static int debug_word(const char *word, char *message, size_t size) {
    size_t length = strcspn(word, "=");
    const struct tunable *tunable = find(words, WORDS, word, length);
    if (!tunable)
        return debug_unknown(word, message, size);
    if (word[length] == '=' && parse_value(tunable, word + length + 1) == 0)
        return 0;
    snprintf(message, size, "ORRERY_DEBUG: `%s` cannot be understood; %s is: %s", word,
             tunable->name, tunable->help);
    return -1;
}

/* The words of the list; the last of the same name counts, and nothing between two commas is
 * nothing. */
static int debug_read(const char *list, char *message, size_t size) {
    char word[LONGEST];
    while (*list) {
        size_t length = strcspn(list, ",");
        if (length >= sizeof word) {
            snprintf(message, size, "ORRERY_DEBUG: a word of %zu bytes is too long", length);
            return -1;
        }
        memcpy(word, list, length);
        word[length] = 0;
        if (length && debug_word(word, message, size))
            return -1;
        list += length + (list[length] == ',');
    }
    return 0;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int read_one(const char *entry, char *message, size_t size) {
    const char *equals = strchr(entry, '=');
    if (!equals)
        return 0;
    const struct tunable *tunable = find(table, TABLE_SIZE, entry, (size_t)(equals - entry));
    if (!tunable) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(equals - entry), entry);
        snprintf(message, size, "unknown environment variable %s; the nearest known one is %s",
                 name, nearest(name));
        return -1;
    }
    if (tunable->kind == KIND_DEBUG)
        return debug_read(equals + 1, message, size);
    if (parse_value(tunable, equals + 1)) {
        snprintf(message, size, "%s=%s cannot be understood; it is: %s", tunable->name, equals + 1,
                 tunable->help);
        return -1;
    }
    return 0;
}

int orrery_env_read(char *message, size_t size) {
    extern char **environ;
    for (int i = 0; i < TABLE_SIZE; ++i)
        if (table[i].kind != KIND_SEED)
            parse_value(&table[i], table[i].preset);
    for (int i = 0; i < WORDS; ++i)
        parse_value(&words[i], words[i].preset);
    values.seed_set = false;
    for (char **entry = environ; entry && *entry; ++entry)
        if (strncmp(*entry, "ORRERY_", 7) == 0 && read_one(*entry, message, size))
            return -1;
    if (values.replay && values.transport == 2) {
        snprintf(message, size, "ORRERY_REPLAY runs on one rank; ORRERY_TRANSPORT=mpi is not");
        return -1;
    }
    return 0;
}

static const char *shown(const char *value) {
    return *value ? value : "(unset)";
}

static void print_row(FILE *stream, const struct tunable *tunable, const char *value) {
    fprintf(stream, "%-18s %-12s %-12s %-8s %s\n", tunable->name,
            shown(value ? value : tunable->preset), value ? "environment" : "default",
            shown(tunable->preset), tunable->help);
}

/* What the list says of a word, NULL: nothing; `room` holds it. */
static const char *debug_value(const char *list, const char *name, char room[LONGEST]) {
    const char *found = NULL;
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ','), at += at != NULL)
        if (strncmp(at, name, length) == 0 && at[length] == '=') {
            snprintf(room, LONGEST, "%.*s", (int)strcspn(at + length + 1, ","), at + length + 1);
            found = room;
        }
    return found;
}

void orrery_env_print(void *stream) {
    const char *list = getenv("ORRERY_DEBUG");
    char room[LONGEST];
    fprintf(stream, "%-18s %-12s %-12s %-8s %s\n", "variable", "value", "source", "default",
            "meaning");
    for (int i = 0; i < TABLE_SIZE; ++i)
        print_row(stream, &table[i], getenv(table[i].name));
    fprintf(stream, "\nwords of ORRERY_DEBUG\n");
    for (int i = 0; i < WORDS; ++i)
        print_row(stream, &words[i], debug_value(list, words[i].name, room));
}
