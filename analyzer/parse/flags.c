#include "analyzer/parse.h"

#include <string.h>

/*
 * The flags that decide what the text means to the parser; the rest (warnings, code generation,
 * debugging) is the host compiler's. libclang rejects flags that only gcc knows, so -f and -m are
 * let through by name. `+`: the value may be the next argument; `=`: a prefix; else the whole word.
 */
static const char *const known_flags[] = {
    "-I+",
    "-D+",
    "-U+",
    "-include+",
    "-isystem+",
    "-iquote+",
    "-idirafter+",
    "-imacros+",
    "-isysroot+",
    "--sysroot==",
    "-std==",
    "--std==",
    "-O=",
    "-ansi",
    "-fno-asm",
    "-trigraphs",
    "-pthread",
    "-nostdinc",
    "-undef",
    "-m32",
    "-m64",
    "-march==",
    "-mavx=",
    "-msse=",
    "-mfma",
    "-fopenmp=",
    "-fstrict-aliasing",
    "-fno-strict-aliasing",
    "-fwrapv",
    "-fno-wrapv",
    "-fstrict-overflow",
    "-fno-strict-overflow",
    "-ftrapv",
    "-ffast-math",
    "-fno-fast-math",
    "-fassociative-math",
    "-fno-associative-math",
    "-funsafe-math-optimizations",
    "-fno-unsafe-math-optimizations",
    "-fsigned-char",
    "-funsigned-char",
    "-fno-signed-char",
    "-fno-unsigned-char",
    "-fshort-enums",
    "-fno-short-enums",
    "-fshort-wchar",
    "-fno-short-wchar",
    "-mms-bitfields",
    "-fpack-struct=",
    "-fms-extensions",
    "-fgnu89-inline",
    "-ffreestanding",
    "-fno-builtin=",
    "-fPIC",
    "-fpic",
    "-fPIE",
    "-fpie",
};

/* 0: not for the parser, 1: take it, 2: take it and the next argument. */
static int form_of(const char *arg) {
    for (size_t i = 0; i < sizeof known_flags / sizeof *known_flags; ++i) {
        const char *known = known_flags[i];
        size_t length = strlen(known) - 1;
        char form = known[length];
        if (form == '+' && strncmp(arg, known, length) == 0)
            return arg[length] == '\0' ? 2 : 1;
        if (form == '=' && strncmp(arg, known, length) == 0)
            return 1;
        if (strcmp(arg, known) == 0)
            return 1;
    }
    return 0;
}

/* Words for the preprocessor may stand behind -Xpreprocessor, or in one behind -Wp. */
static int words_of(struct arena *arena, int nflags, const char *const *flags,
                    const char ***words) {
    int count = 0;
    *words = NULL;
    for (int i = 0; i < nflags; ++i) {
        if (strcmp(flags[i], "-Xpreprocessor") == 0)
            continue;
        bool several = strncmp(flags[i], "-Wp,", 4) == 0;
        char *next = several ? arena_strdup(arena, flags[i] + 4) : NULL;
        const char *word = several ? strsep(&next, ",") : flags[i];
        for (; word; word = strsep(&next, ","))
            ARENA_PUSH(arena, *words, count, word);
    }
    return count;
}

int parse_flags(struct arena *arena, const char *include, int nflags, const char *const *flags,
                const char ***args) {
    const char **words;
    int count = 0, nwords = words_of(arena, nflags, flags, &words);
    *args = NULL;
    ARENA_PUSH(arena, *args, count, "-D__ORRERY__=1");
    if (include) {
        ARENA_PUSH(arena, *args, count, "-I");
        ARENA_PUSH(arena, *args, count, include);
    }
    for (int i = 0; i < nwords; ++i) {
        int form = form_of(words[i]);
        if (form > 0)
            ARENA_PUSH(arena, *args, count, words[i]);
        if (form == 2 && i + 1 < nwords)
            ARENA_PUSH(arena, *args, count, words[++i]);
    }
    return count;
}
