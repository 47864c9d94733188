/*
 * What the program does to files: a standby (runtime/checkpoint/standby.h) has to know before it is
 * done. Only there the program's calls of the C library come here, by its table of imported functions
 * (ELF's relocations of the kinds JUMP_SLOT and GLOB_DAT): a function of its own that has such a name
 * stands in no table, and other runs are as they were.
 */
#define _GNU_SOURCE
#include "dsm/base/base.h"
#include "dsm/dsm.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

static void (*look)(const char *path);

static bool is_for_writing(const char *mode) {
    return mode && strpbrk(mode, "wa+");
}

/* A device, as /dev/null, is changed by nobody. */
static void opens(const char *path, bool writes) {
    struct stat status;
    if (look && writes && path && (stat(path, &status) != 0 || !S_ISCHR(status.st_mode)))
        look(path);
}

static bool is_open_for_writing(int flags) {
    return (flags & O_ACCMODE) != O_RDONLY || flags & (O_CREAT | O_TRUNC);
}

/* ---- what stands in for the C library's ------------------------------------------------------ */

static FILE *(*real_fopen)(const char *path, const char *mode);
static FILE *(*real_freopen)(const char *path, const char *mode, FILE *stream);
static int (*real_openat)(int folder, const char *path, int flags, ...);

static FILE *on_fopen(const char *path, const char *mode) {
    opens(path, is_for_writing(mode));
    return real_fopen(path, mode);
}

static FILE *on_freopen(const char *path, const char *mode, FILE *stream) {
    opens(path, is_for_writing(mode));
    return real_freopen(path, mode, stream);
}

static int openat_with(int folder, const char *path, int flags, va_list rest) {
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
    opens(path, is_open_for_writing(flags));
    return real_openat(folder, path, flags, mode);
}

static int on_open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int file = openat_with(AT_FDCWD, path, flags, rest);
    va_end(rest);
    return file;
}

static int on_openat(int folder, const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    int file = openat_with(folder, path, flags, rest);
    va_end(rest);
    return file;
}

static int on_creat(const char *path, mode_t mode) {
    opens(path, true);
    return real_openat(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

/* Of what changes something in any case; NULL: nobody looks any more. */
static void changes(const char *path) {
    if (look)
        look(path);
}

#define ON(result, function, parameters, arguments)                                                \
    static result(*real_##function) parameters;                                                    \
    static result on_##function parameters {                                                       \
        changes(path);                                                                             \
        return real_##function arguments;                                                          \
    }
ON(int, remove, (const char *path), (path))
ON(int, unlink, (const char *path), (path))
ON(int, rename, (const char *path, const char *to), (path, to))
ON(int, mkdir, (const char *path, mode_t mode), (path, mode))
ON(int, rmdir, (const char *path), (path))
ON(int, truncate, (const char *path, off_t length), (path, length))
ON(int, system, (const char *path), (path))
ON(FILE *, popen, (const char *path, const char *mode), (path, mode))

/* `of`: the C library's function behind several names; on 64 bits those with 64 are the same. Checked
 * ones (-D_FORTIFY_SOURCE) have no mode, and ask for none. */
static const struct hook {
    const char *name, *of;
    void (*here)(void);
    void *real;
} hooks[] = {
#define ROW(name, function) {#name, #function, (void (*)(void))on_##function, &real_##function}
    ROW(fopen, fopen),       ROW(fopen64, fopen),       ROW(freopen, freopen),
    ROW(freopen64, freopen), ROW(openat, openat),       ROW(openat64, openat),
    ROW(__openat_2, openat), ROW(__openat64_2, openat), ROW(remove, remove),
    ROW(unlink, unlink),     ROW(rename, rename),       ROW(mkdir, mkdir),
    ROW(rmdir, rmdir),       ROW(truncate, truncate),   ROW(truncate64, truncate),
    ROW(system, system),     ROW(popen, popen),
#undef ROW
#define ROW(name, function) {#name, "openat", (void (*)(void))on_##function, &real_openat}
    ROW(open, open),         ROW(open64, open),         ROW(__open_2, open),
    ROW(__open64_2, open),   ROW(creat, creat),         ROW(creat64, creat),
};

/* ---- the program's table --------------------------------------------------------------------- */

enum { SLOT = R_X86_64_JUMP_SLOT, DATA = R_X86_64_GLOB_DAT };

struct imports {
    const Elf64_Sym *symbols;
    const char *names;
    const Elf64_Rela *tables[2];
    size_t bytes[2];
};

static void slot_set(void **slot, void (*here)(void)) {
    char *page = (char *)((uintptr_t)slot / DSM_PAGE * DSM_PAGE); // NOLINT
    if (mprotect(page, DSM_PAGE, PROT_READ | PROT_WRITE) == 0)
        memcpy(slot, &here, sizeof here);
}

static void table_set(const struct imports *imports, int t, uintptr_t base) {
    for (size_t i = 0; i < imports->bytes[t] / sizeof(Elf64_Rela); ++i) {
        const Elf64_Rela *row = &imports->tables[t][i];
        int kind = (int)ELF64_R_TYPE(row->r_info);
        const char *name = imports->names + imports->symbols[ELF64_R_SYM(row->r_info)].st_name;
        for (size_t h = 0; h < sizeof hooks / sizeof *hooks && (kind == SLOT || kind == DATA); ++h)
            if (strcmp(hooks[h].name, name) == 0)
                slot_set((void **)(base + row->r_offset), hooks[h].here); // NOLINT
    }
}

/* The dynamic section has addresses, which the loader has moved in place. */
static int program_set(struct dl_phdr_info *info, size_t size, void *unused) {
    struct imports imports = {0};
    (void)size, (void)unused;
    const ElfW(Dyn) *entry = NULL;
    for (int i = 0; i < info->dlpi_phnum; ++i)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            entry = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr); // NOLINT
    for (; entry && entry->d_tag != DT_NULL; ++entry) {
        const void *at = (const void *)entry->d_un.d_ptr; // NOLINT(performance-no-int-to-ptr)
        imports.symbols = entry->d_tag == DT_SYMTAB ? at : imports.symbols;
        imports.names = entry->d_tag == DT_STRTAB ? at : imports.names;
        imports.tables[0] = entry->d_tag == DT_JMPREL ? at : imports.tables[0];
        imports.tables[1] = entry->d_tag == DT_RELA ? at : imports.tables[1];
        imports.bytes[0] = entry->d_tag == DT_PLTRELSZ ? entry->d_un.d_val : imports.bytes[0];
        imports.bytes[1] = entry->d_tag == DT_RELASZ ? entry->d_un.d_val : imports.bytes[1];
    }
    for (int t = 0; t < 2 && imports.symbols && imports.names; ++t)
        if (imports.tables[t])
            table_set(&imports, t, info->dlpi_addr);
    return 1;
}

void dsm_on_change(void (*asked)(const char *path)) {
    look = asked;
    if (!asked)
        return;
    for (size_t h = 0; h < sizeof hooks / sizeof *hooks; ++h) {
        void *real = dlsym(RTLD_NEXT, hooks[h].of);
        memcpy(hooks[h].real, &real, sizeof real);
    }
    dl_iterate_phdr(program_set, NULL);
}
