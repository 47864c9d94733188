/* Variables of the program, by the symbol table of its file. */
#define _GNU_SOURCE
#include "dsm/base/wrapped.h"
#include "dsm/memory/memory.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

REAL_DECLARE(fstat);

#define SEGMENTS 16

struct variable {
    uintptr_t low;
    size_t bytes;
};

struct segment {
    uintptr_t low, high;
    bool writable;
};

static struct {
    pthread_once_t segments_once, variables_once;
    int nsegments;
    struct segment segments[SEGMENTS]; /* of the program */
    struct segment relocated;          /* written by the dynamic linker only, whole pages */
    uintptr_t load_address;            /* 0: the program stands at one address everywhere */
    size_t nvariables;
    struct variable *variables; /* addresses rising */
    bool named;                 /* the file has a symbol table */
} program = {.segments_once = PTHREAD_ONCE_INIT, .variables_once = PTHREAD_ONCE_INIT};

/* The program itself is the first object. */
static int segments_read(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    (void)data;
    program.load_address = info->dlpi_addr;
    for (int i = 0; i < info->dlpi_phnum && program.nsegments < SEGMENTS; ++i) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD) {
            uintptr_t low = program.load_address + header->p_vaddr;
            program.segments[program.nsegments++] =
                (struct segment){low, low + header->p_memsz, (header->p_flags & PF_W) != 0};
        }
        if (header->p_type == PT_GNU_RELRO) {
            uintptr_t low = program.load_address + header->p_vaddr;
            program.relocated.low = dsm_page_up(low);
            program.relocated.high = dsm_page_down(low + header->p_memsz);
        }
    }
    return 1;
}

static void segments_start(void) {
    dl_iterate_phdr(segments_read, NULL);
}

static const struct segment *segment_of(uintptr_t address) {
    pthread_once(&program.segments_once, segments_start);
    for (int i = 0; i < program.nsegments; ++i)
        if (address >= program.segments[i].low && address < program.segments[i].high)
            return &program.segments[i];
    return NULL;
}

bool dsm_static_shared(const void *address) {
    return segment_of((uintptr_t)address) && program.load_address == 0;
}

bool dsm_static_constant(const void *pointer) {
    uintptr_t address = (uintptr_t)pointer;
    const struct segment *segment = segment_of(address);
    return segment && (!segment->writable ||
                       (address >= program.relocated.low && address < program.relocated.high));
}

/* From the first byte of .data on:
 * what the linker puts before it is its own and the dynamic linker's. */
struct dsm_range dsm_static_range(void) {
    extern char __data_start[] __attribute__((weak)), _end[]; /* ld's default script */
    return (struct dsm_range){__data_start, _end};
}

static int variable_compare(const void *left, const void *right) {
    const struct variable *a = left, *b = right;
    return a->low < b->low ? -1 : a->low > b->low;
}

static void symbols_read(const char *file, const Elf64_Shdr *table) {
    size_t count = table->sh_size / sizeof(Elf64_Sym);
    const Elf64_Sym *symbols = (const Elf64_Sym *)(file + table->sh_offset);
    program.variables = dsm_own_realloc(program.variables,
                                        (program.nvariables + count) * sizeof *program.variables);
    for (size_t i = 0; i < count; ++i) {
        if (ELF64_ST_TYPE(symbols[i].st_info) == STT_OBJECT && symbols[i].st_size > 0 &&
            symbols[i].st_shndx != SHN_UNDEF) {
            program.variables[program.nvariables++] =
                (struct variable){program.load_address + symbols[i].st_value, symbols[i].st_size};
        }
    }
}

static void tables_read(const char *file, size_t bytes) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    if (bytes < sizeof *header || memcmp(file, ELFMAG, SELFMAG) != 0 ||
        header->e_shentsize != sizeof(Elf64_Shdr) ||
        header->e_shoff + (size_t)header->e_shnum * sizeof(Elf64_Shdr) > bytes)
        return;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
    for (int i = 0; i < header->e_shnum; ++i) {
        bool table = sections[i].sh_type == SHT_SYMTAB || sections[i].sh_type == SHT_DYNSYM;
        program.named |= sections[i].sh_type == SHT_SYMTAB;
        if (table && sections[i].sh_offset + sections[i].sh_size <= bytes)
            symbols_read(file, &sections[i]);
    }
}

static void variables_start(void) {
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0)
        return;
    if (REAL(fstat)(file, &status) == 0 && status.st_size > 0) {
        size_t bytes = (size_t)status.st_size;
        void *image = dsm_clib_map_file(file, bytes);
        if (image) {
            tables_read(image, bytes);
            dsm_clib_unmap(image, bytes);
        }
    }
    close(file);
    qsort(program.variables, program.nvariables, sizeof *program.variables, variable_compare);
}

const char *dsm_stripped_words(void) {
    pthread_once(&program.variables_once, variables_start);
    return program.named
               ? ""
               : " (the program has no symbol table, which has the sizes of its variables: "
                 "do not strip it)";
}

bool dsm_static_find(const void *pointer, struct dsm_block *block) {
    uintptr_t address = (uintptr_t)pointer;
    const struct segment *segment = segment_of(address);
    if (!segment)
        return false;
    pthread_once(&program.variables_once, variables_start);
    size_t low = 0, high = program.nvariables;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (program.variables[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || address - program.variables[low - 1].low >= program.variables[low - 1].bytes)
        return false;
    const struct variable *variable = &program.variables[low - 1];
    *block = (struct dsm_block){(char *)variable->low, variable->bytes,
                                segment->writable ? DSM_BLOCK_STATIC : DSM_BLOCK_CONSTANT, false};
    return true;
}
