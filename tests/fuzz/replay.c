/*
 * Runs a target on every file of its corpus, without libFuzzer: what once crashed must not again.
 *
 *   usage: replay FOLDER ...
 */
#include "tests/fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static int replay(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    static uint8_t bytes[1 << 20];
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact)
        return 1;
    for (size_t i = 0; i < size; ++i)
        exact[i] = bytes[i];
    fprintf(stderr, "%s\n", path);
    int status = LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    return status;
}

/* How many files of the folder were run, -1 when one failed. */
static int replay_folder(const char *folder) {
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort), run = 0, status = 0;
    for (int i = 0; i < count; ++i) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_type == DT_REG) {
            status |= replay(path);
            ++run;
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return status ? -1 : run;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; ++i) {
        int run = replay_folder(argv[i]);
        fprintf(stderr, "%s: %d inputs\n", argv[i], run);
        if (run <= 0)
            return 1;
    }
    return argc < 2 ? 2 : 0;
}
