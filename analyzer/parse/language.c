#include "analyzer/parse.h"

#include <stddef.h>
#include <string.h>

static const struct language languages[] = {
    {".cc", "c++", "C++", false},
    {".cp", "c++", "C++", false},
    {".cxx", "c++", "C++", false},
    {".cpp", "c++", "C++", false},
    {".CPP", "c++", "C++", false},
    {".c++", "c++", "C++", false},
    {".C", "c++", "C++", false},
    {".hh", "c++-header", "a header that is compiled by itself", false},
    {".H", "c++-header", "a header that is compiled by itself", false},
    {".hp", "c++-header", "a header that is compiled by itself", false},
    {".hxx", "c++-header", "a header that is compiled by itself", false},
    {".hpp", "c++-header", "a header that is compiled by itself", false},
    {".HPP", "c++-header", "a header that is compiled by itself", false},
    {".h++", "c++-header", "a header that is compiled by itself", false},
    {".tcc", "c++-header", "a header that is compiled by itself", false},
    {".h", "c-header", "a header that is compiled by itself", true},
    {".i", "cpp-output", "preprocessed text", true},
    {".ii", "c++-cpp-output", "preprocessed text", false},
    {".mi", "objc-cpp-output", "preprocessed text", false},
    {".mii", "objective-c++-cpp-output", "preprocessed text", false},
    {".s", "assembler", "assembly", false},
    {".S", "assembler-with-cpp", "assembly", false},
    {".sx", "assembler-with-cpp", "assembly", false},
    {".cu", "cuda", "CUDA C++", false},
    {".m", "objective-c", "Objective-C", false},
    {".mm", "objective-c++", "Objective-C++", false},
    {".M", "objective-c++", "Objective-C++", false},
    {".f", "f77", "Fortran", false},
    {".for", "f77", "Fortran", false},
    {".f90", "f95", "Fortran", false},
    {".f95", "f95", "Fortran", false},
    {".F", "f77-cpp-input", "Fortran", false},
    {".F90", "f95-cpp-input", "Fortran", false},
    {".d", "d", "D", false},
    {".go", "go", "Go", false},
    {".adb", "ada", "Ada", false},
};

static bool ends_in(const char *name, const char *suffix) {
    size_t length = strlen(name), tail = strlen(suffix);
    return length > tail && strcmp(name + length - tail, suffix) == 0;
}

const struct language *language_find(const char *file, const char *name) {
    for (size_t i = 0; i < sizeof languages / sizeof *languages; ++i)
        if (name ? strcmp(name, languages[i].name) == 0 : ends_in(file, languages[i].suffix))
            return &languages[i];
    return NULL;
}

const char *language_foreign(const char *file, int nflags, const char *const *flags) {
    const char *name = NULL;
    for (int i = 0; i < nflags; ++i)
        if (strncmp(flags[i], "-x", 2) == 0)
            name = flags[i][2] ? flags[i] + 2 : i + 1 < nflags ? flags[++i] : NULL;
    if (name && strcmp(name, "none") == 0)
        name = NULL;
    const struct language *language = language_find(file, name);
    if (language)
        return language->is_c ? NULL : language->words;
    return name && strcmp(name, "c") != 0 ? name : NULL;
}
