/* Lines and variables of a program: ELF, and the line tables of DWARF 2 to 4. */
#include "tools/verify/accesses.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct row {
    uint64_t address;
    const char *file; /* NULL: code ends here */
    int line, column;
};

struct elf_symbol {
    uint64_t address, size;
    const char *name;
};

struct elf {
    struct arena *arena;
    const unsigned char *bytes;
    size_t size;
    int nrows;
    struct row *rows;
    int nsymbols;
    struct elf_symbol *symbols;
};

/* ---- reading bytes --------------------------------------------------------------------------- */

struct cursor {
    const unsigned char *at, *end;
};

static uint64_t take(struct cursor *c, int size) {
    uint64_t value = 0;
    if (c->end - c->at < size) {
        c->at = c->end;
        return 0;
    }
    memcpy(&value, c->at, (size_t)size);
    c->at += size;
    return value;
}

static uint64_t take_uleb(struct cursor *c) {
    uint64_t value = 0;
    for (int shift = 0; c->at < c->end; shift += 7) {
        unsigned char byte = *c->at++;
        value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        if (!(byte & 0x80))
            break;
    }
    return value;
}

static int64_t take_sleb(struct cursor *c) {
    uint64_t value = 0;
    int shift = 0;
    unsigned char byte = 0;
    while (c->at < c->end) {
        byte = *c->at++;
        value |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        shift += 7;
        if (!(byte & 0x80))
            break;
    }
    if (shift < 64 && (byte & 0x40))
        value |= ~(uint64_t)0 << shift;
    return (int64_t)value;
}

static const char *take_text(struct cursor *c) {
    const unsigned char *end = memchr(c->at, 0, (size_t)(c->end - c->at));
    const char *text = end ? (const char *)c->at : "";
    c->at = end ? end + 1 : c->end;
    return text;
}

/* ---- line tables ----------------------------------------------------------------------------- */

/* One unit's table under way: its header, and the machine's registers. */
struct program {
    struct cursor code; /* the line program, behind its header */
    /* bytes of the shortest instruction; the least line step, how many there are, and the first
     * opcode that has one */
    int minimum, base, range, opcodes;
    const unsigned char *lengths; /* of the standard opcodes */
    int ndirs, nfiles;            /* of `dirs`, of `files` */
    const char **dirs, **files;   /* as the header lists them */
    uint64_t address;             /* register: the instruction's */
    int file, line, column;       /* registers: where its text is */
};

static void add_row(struct elf *elf, const struct program *p, bool end) {
    struct row row = {p->address, NULL, p->line, p->column};
    if (!end)
        row.file = p->file >= 1 && p->file <= p->nfiles ? p->files[p->file - 1] : "";
    ARENA_PUSH(elf->arena, elf->rows, elf->nrows, row);
}

static void reset(struct program *p) {
    p->address = 0;
    p->file = p->line = 1;
    p->column = 0;
}

static void run_extended(struct elf *elf, struct program *p) {
    uint64_t length = take_uleb(&p->code);
    if (length == 0 || length > (uint64_t)(p->code.end - p->code.at)) {
        p->code.at = p->code.end;
        return;
    }
    struct cursor inner = {p->code.at, p->code.at + length};
    p->code.at += length;
    int opcode = (int)take(&inner, 1);
    if (opcode == 1) {
        add_row(elf, p, true);
        reset(p);
    } else if (opcode == 2) {
        p->address = take(&inner, (int)(inner.end - inner.at) >= 8 ? 8 : 4);
    }
}

static void run_standard(struct elf *elf, struct program *p, int opcode) {
    switch (opcode) {
    case 1:
        add_row(elf, p, false);
        break;
    case 2:
        p->address += take_uleb(&p->code) * (uint64_t)p->minimum;
        break;
    case 3:
        p->line += (int)take_sleb(&p->code);
        break;
    case 4:
        p->file = (int)take_uleb(&p->code);
        break;
    case 5:
        p->column = (int)take_uleb(&p->code);
        break;
    case 8:
        p->address += (uint64_t)((255 - p->opcodes) / p->range) * (uint64_t)p->minimum;
        break;
    case 9:
        p->address += take(&p->code, 2);
        break;
    default:
        for (int i = 0; i < p->lengths[opcode - 1]; ++i)
            take_uleb(&p->code);
    }
}

static void run_program(struct elf *elf, struct program *p) {
    reset(p);
    while (p->code.at < p->code.end) {
        int opcode = (int)take(&p->code, 1);
        if (opcode == 0) {
            run_extended(elf, p);
        } else if (opcode < p->opcodes) {
            run_standard(elf, p, opcode);
        } else {
            int special = opcode - p->opcodes;
            p->address += (uint64_t)(special / p->range) * (uint64_t)p->minimum;
            p->line += p->base + special % p->range;
            add_row(elf, p, false);
        }
    }
}

/* Folders and files of one unit; false: a table that we do not read. */
static bool take_names(struct elf *elf, struct program *p, struct cursor *c) {
    const char *text;
    while (c->at < c->end && *(text = take_text(c)))
        ARENA_PUSH(elf->arena, p->dirs, p->ndirs, text);
    while (c->at < c->end && *(text = take_text(c))) {
        int dir = (int)take_uleb(c);
        take_uleb(c);
        take_uleb(c);
        bool beside = text[0] == '/' || dir < 1 || dir > p->ndirs;
        const char *name =
            beside ? text : arena_printf(elf->arena, "%s/%s", p->dirs[dir - 1], text);
        ARENA_PUSH(elf->arena, p->files, p->nfiles, name);
    }
    return p->range > 0 && p->opcodes > 0;
}

static void read_unit(struct elf *elf, struct cursor unit) {
    struct program p = {.code = unit};
    int version = (int)take(&p.code, 2);
    if (version < 2 || version > 4)
        return;
    uint64_t header = take(&p.code, 4);
    if (header > (uint64_t)(p.code.end - p.code.at))
        return;
    struct cursor c = {p.code.at, p.code.at + header};
    p.code.at += header;
    p.minimum = (int)take(&c, 1);
    if (version == 4)
        take(&c, 1);
    take(&c, 1);
    p.base = (int8_t)take(&c, 1);
    p.range = (int)take(&c, 1);
    p.opcodes = (int)take(&c, 1);
    p.lengths = c.at;
    c.at += p.opcodes > 0 && c.end - c.at >= p.opcodes - 1 ? p.opcodes - 1 : 0;
    if (take_names(elf, &p, &c))
        run_program(elf, &p);
}

static void read_lines(struct elf *elf, struct cursor section) {
    while (section.end - section.at > 4) {
        uint64_t length = take(&section, 4);
        if (length >= 0xfffffff0u || length > (uint64_t)(section.end - section.at))
            return;
        read_unit(elf, (struct cursor){section.at, section.at + length});
        section.at += length;
    }
}

/* ---- symbols --------------------------------------------------------------------------------- */

static void read_symbols(struct elf *elf, struct cursor table, struct cursor names) {
    size_t count = (size_t)(table.end - table.at) / sizeof(Elf64_Sym);
    for (size_t i = 0; i < count; ++i) {
        Elf64_Sym s;
        memcpy(&s, table.at + i * sizeof s, sizeof s);
        if (ELF64_ST_TYPE(s.st_info) != STT_OBJECT || s.st_size == 0 ||
            s.st_name >= (size_t)(names.end - names.at))
            continue;
        struct elf_symbol symbol = {s.st_value, s.st_size, (const char *)names.at + s.st_name};
        ARENA_PUSH(elf->arena, elf->symbols, elf->nsymbols, symbol);
    }
}

static int row_compare(const void *a, const void *b) {
    const struct row *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return !x->file - !y->file ? !y->file - !x->file : x < y ? -1 : 1;
}

static int symbol_compare(const void *a, const void *b) {
    const struct elf_symbol *x = a, *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

/* ---- the file -------------------------------------------------------------------------------- */

static struct cursor section_of(const struct elf *elf, const Elf64_Shdr *header) {
    const struct cursor none = {elf->bytes, elf->bytes};
    if (header->sh_type == SHT_NOBITS || header->sh_offset > elf->size ||
        header->sh_size > elf->size - header->sh_offset || (header->sh_flags & SHF_COMPRESSED))
        return none;
    return (struct cursor){elf->bytes + header->sh_offset,
                           elf->bytes + header->sh_offset + header->sh_size};
}

static void read_sections(struct elf *elf) {
    const Elf64_Ehdr *header = (const void *)elf->bytes;
    uint64_t tables = (uint64_t)header->e_shnum * sizeof(Elf64_Shdr);
    if (header->e_shoff > elf->size || tables > elf->size - header->e_shoff ||
        header->e_shstrndx >= header->e_shnum)
        return;
    const Elf64_Shdr *sections = (const void *)(elf->bytes + header->e_shoff);
    struct cursor names = section_of(elf, &sections[header->e_shstrndx]);
    for (int i = 0; i < header->e_shnum; ++i) {
        const Elf64_Shdr *s = &sections[i];
        if (s->sh_name >= (size_t)(names.end - names.at))
            continue;
        if (strcmp((const char *)names.at + s->sh_name, ".debug_line") == 0)
            read_lines(elf, section_of(elf, s));
        if (s->sh_type == SHT_SYMTAB && s->sh_link < header->e_shnum)
            read_symbols(elf, section_of(elf, s), section_of(elf, &sections[s->sh_link]));
    }
    if (elf->nrows)
        qsort(elf->rows, (size_t)elf->nrows, sizeof *elf->rows, row_compare);
    if (elf->nsymbols)
        qsort(elf->symbols, (size_t)elf->nsymbols, sizeof *elf->symbols, symbol_compare);
}

struct elf *elf_open(struct arena *arena, const char *path) {
    struct elf *elf = arena_alloc(arena, sizeof *elf);
    struct stat about;
    int fd = open(path, O_RDONLY);
    void *bytes = MAP_FAILED;
    if (fd >= 0 && fstat(fd, &about) == 0 && (size_t)about.st_size >= sizeof(Elf64_Ehdr))
        bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (bytes == MAP_FAILED)
        return NULL;
    elf->arena = arena;
    elf->bytes = bytes;
    elf->size = (size_t)about.st_size;
    if (memcmp(bytes, ELFMAG, SELFMAG) != 0 || elf->bytes[EI_CLASS] != ELFCLASS64)
        return NULL;
    read_sections(elf);
    return elf;
}

struct text_place elf_place(const struct elf *elf, uint64_t address) {
    int low = -1, high = elf ? elf->nrows : 0;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (elf->rows[middle].address <= address)
            low = middle;
        else
            high = middle;
    }
    if (low < 0 || !elf->rows[low].file)
        return (struct text_place){0};
    return (struct text_place){elf->rows[low].file, elf->rows[low].line, elf->rows[low].column};
}

const char *elf_variable(const struct elf *elf, uint64_t address, uint64_t *offset) {
    for (int i = 0; elf && i < elf->nsymbols && elf->symbols[i].address <= address; ++i) {
        *offset = address - elf->symbols[i].address;
        if (*offset < elf->symbols[i].size)
            return elf->symbols[i].name;
    }
    return "";
}
