#include "cli/cc_help.h"

const char cc_summary[] = "the C compiler with parallel loops";

/* Read by cli/cc/args.c. */
static const struct option_spec specs[] = {
    {"-plan", OPTION_TEXT, "FILE", "use the plans of FILE ('orrery plan' writes them)", NULL},
    {"-plan-of", OPTION_TEXT, "SOURCE=FILE", "use the plans of FILE for the source SOURCE only",
     NULL},
    {"-with", OPTION_LIST, "FILE",
     "look into the functions of FILE, another source of the program, which then\n"
     "has to be built with -with FILE, too (docs/other-files.md)",
     NULL},
    {"-effects", OPTION_LIST, "FILE", "what functions do whose text is not seen (docs/effects.md)",
     NULL},
    {"-auto", OPTION_FLAG, NULL,
     "unmarked loops that are provably parallel too (not in what may become a\n"
     "shared library: -fPIC, -shared)",
     NULL},
    {"-target", OPTION_CHOICE, "cpu|gpu|gpu-shim",
     "where marked loops run that do not say it; gpu-shim: a GPU's kernels, built for the host",
     NULL},
    {"-accesses", OPTION_FLAG, NULL,
     "a serial program that watches its loads and stores, for 'orrery verify --accesses'", NULL},
    {"--debug-drop-reads", OPTION_TEXT, "NAME", "overlook reads of this object, to test -accesses",
     NULL},
    {"--debug-change-vector", OPTION_TEXT, "NAME",
     "of -accesses: the verdict names other iterations that meet in this object", NULL},
    {"-no-transform", OPTION_FLAG, NULL,
     "-auto leaves the order of nested loops alone (else, with -O3, they are tiled), and marked "
     "nests "
     "of rows do not become records",
     NULL},
    {"-own-memory", OPTION_FLAG, NULL,
     "-shared: what the library allocates it frees itself, so that the run knows its arrays'\n"
     "sizes (docs/shared.md)",
     NULL},
    {"-allow-fallback", OPTION_FLAG, NULL, "run a loop serially when a check of the run fails",
     NULL},
    {"-Werror=serial", OPTION_FLAG, NULL, "a marked loop that stays serial is an error", NULL},
    {"-Rorrery", OPTION_FLAG, NULL, "say what became parallel too", NULL},
    {"--keep", OPTION_FLAG, NULL, "leave the rewritten text beside the output, as NAME.orrery.c",
     NULL},
    {"-showme", OPTION_FLAG, NULL, "print the commands, run nothing", NULL},
    {"--launch", OPTION_TEXT, "N",
     "stand in front of the compiler that follows, N words (default 1; 2 with\n"
     "ccache and its like): a build system's compiler launcher",
     NULL},
};

const struct option_set cc_help = {
    .command = "cc",
    .usage = "orrery-cc [options of cc] FILE ...",
    .about =
        "cc with parallel loops: takes every option of the host compiler (ORRERY_CC, default cc)\n"
        "and does what it does. Files that hold a loop marked '#pragma orrery parallel' are\n"
        "analyzed, planned and rewritten on the way; everything else is the host compiler's,\n"
        "untouched. The options below are its own.\n"
        "Exit status: the host compiler's; 1 errors of its own, 2 wrong use of its own options.",
    .examples = "  orrery-cc -O3 mf.c -o mf -lm\n"
                "  CC=orrery-cc ./configure && make\n"
                "  ORRERY_CC=clang orrery-cc -c -Rorrery mf.c\n"
                "  orrery-cc -auto --launch gcc -O2 -c mf.c",
    .nspecs = sizeof specs / sizeof *specs,
    .specs = specs,
};
