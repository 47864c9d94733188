/*
 * flip FILE: every byte of a checkpoint changed in turn, and the file cut at every 512 bytes (4 KiB
 * among them), is not taken for whole; as it is, it is.
 */
#include "runtime/checkpoint/files.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int failed(const char *what, long at) {
    fprintf(stderr, "flip: %s at %ld\n", what, at);
    return 1;
}

static bool is_whole(const char *path) {
    struct dsm_status status = {0};
    return orrery_files_check(path, &status);
}

int main(int argc, char **argv) {
    struct stat status;
    int file = argc > 1 ? open(argv[1], O_RDWR | O_CLOEXEC) : -1;
    if (file < 0 || fstat(file, &status))
        return failed("no file", 0);
    long size = (long)status.st_size, refused = 0;
    if (!is_whole(argv[1]))
        return failed("the file is not taken", 0);
    for (long at = 0; at < size; ++at) {
        unsigned char byte, other;
        if (pread(file, &byte, 1, at) != 1)
            return failed("cannot read", at);
        other = (unsigned char)(byte ^ (1U << (at % 8)));
        if (pwrite(file, &other, 1, at) != 1)
            return failed("cannot write", at);
        if (is_whole(argv[1]))
            return failed("a changed byte was not noticed", at);
        ++refused;
        if (pwrite(file, &byte, 1, at) != 1)
            return failed("cannot write", at);
    }
    char *bytes = malloc((size_t)size);
    if (!bytes || pread(file, bytes, (size_t)size, 0) != size)
        return failed("cannot read", 0);
    for (long at = size - 1 - (size - 1) % 512; at >= 0; at -= 512) {
        if (ftruncate(file, at) || is_whole(argv[1]))
            return failed("a missing end was not noticed", at);
        ++refused;
    }
    if (pwrite(file, bytes, (size_t)size, 0) != size || !is_whole(argv[1]))
        return failed("the whole file was not taken", size);
    printf("%ld refused\n", refused);
    free(bytes);
    close(file);
    return 0;
}
