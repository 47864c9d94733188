/*
 * Does an object hold what Orrery made of a loop? It has a note section then (ORRERY_OBJECT in
 * runtime/orrery_body.h), whatever the compiler has dropped. Link-time optimization leaves no
 * sections in objects: there it is a symbol which the compiler must keep. An archive holds what its
 * members hold.
 */
#define _GNU_SOURCE
#include "cli/cc/cc.h"

#include <ar.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of a file, or of an archive's member. */
struct bytes {
    const char *at;
    size_t size;
};

static struct bytes part(struct bytes whole, size_t begin, size_t size) {
    if (begin > whole.size || size > whole.size - begin)
        return (struct bytes){NULL, 0};
    return (struct bytes){whole.at + begin, size};
}

static bool has(struct bytes bytes, const char *word, size_t length) {
    return bytes.size && memmem(bytes.at, bytes.size, word, length);
}

static bool starts(struct bytes bytes, const char *word, size_t length) {
    return bytes.size >= length && memcmp(bytes.at, word, length) == 0;
}

/* ---- ELF ------------------------------------------------------------------------------------- */

static bool section_says(struct bytes file, const Elf64_Shdr *section, const char *name) {
    static const char lto[] = ".gnu.lto_.symtab";
    if (strcmp(name, ".note.orrery") == 0)
        return true;
    return strncmp(name, lto, sizeof lto - 1) == 0 && section->sh_type != SHT_NOBITS &&
           has(part(file, section->sh_offset, section->sh_size), "orrery_object", 14);
}

/* `names` ends in a NUL byte. */
static bool sections_say(struct bytes file, const Elf64_Ehdr *header, struct bytes names) {
    for (unsigned i = 0; i < header->e_shnum; ++i) {
        Elf64_Shdr section;
        struct bytes raw = part(file, header->e_shoff + i * sizeof section, sizeof section);
        if (!raw.size)
            return false;
        memcpy(&section, raw.at, sizeof section);
        if (section.sh_name < names.size &&
            section_says(file, &section, names.at + section.sh_name))
            return true;
    }
    return false;
}

static bool elf_holds(struct bytes file) {
    Elf64_Ehdr header;
    Elf64_Shdr strings;
    if (file.size < sizeof header || file.at[EI_CLASS] != ELFCLASS64)
        return false;
    memcpy(&header, file.at, sizeof header);
    struct bytes raw =
        part(file, header.e_shoff + header.e_shstrndx * sizeof strings, sizeof strings);
    if (!raw.size || header.e_shentsize != sizeof strings)
        return false;
    memcpy(&strings, raw.at, sizeof strings);
    struct bytes names = part(file, strings.sh_offset, strings.sh_size);
    return names.size && !names.at[names.size - 1] && sections_say(file, &header, names);
}

/* ---- symbols of an ELF object ----------------------------------------------------------------- */

static bool section_read(struct bytes file, const Elf64_Ehdr *header, unsigned i,
                         Elf64_Shdr *section) {
    struct bytes raw = part(file, header->e_shoff + i * sizeof *section, sizeof *section);
    if (raw.size)
        memcpy(section, raw.at, sizeof *section);
    return raw.size != 0;
}

static void defined_each(struct bytes symbols, struct bytes names,
                         void (*each)(void *data, const char *name), void *data) {
    Elf64_Sym symbol;
    for (size_t at = 0; at + sizeof symbol <= symbols.size; at += sizeof symbol) {
        memcpy(&symbol, symbols.at + at, sizeof symbol);
        if (ELF64_ST_BIND(symbol.st_info) != STB_LOCAL && symbol.st_shndx != SHN_UNDEF &&
            symbol.st_name < names.size)
            each(data, names.at + symbol.st_name);
    }
}

void object_defines(const char *bytes, size_t size, void (*each)(void *data, const char *name),
                    void *data) {
    struct bytes file = {bytes, size};
    Elf64_Ehdr header;
    Elf64_Shdr section, strings;
    if (!starts(file, ELFMAG, SELFMAG) || size < sizeof header || bytes[EI_CLASS] != ELFCLASS64)
        return;
    memcpy(&header, bytes, sizeof header);
    for (unsigned i = 0; header.e_shentsize == sizeof section && i < header.e_shnum; ++i) {
        if (!section_read(file, &header, i, &section) || section.sh_type != SHT_SYMTAB ||
            !section_read(file, &header, section.sh_link, &strings))
            continue;
        struct bytes names = part(file, strings.sh_offset, strings.sh_size);
        if (names.size && !names.at[names.size - 1])
            defined_each(part(file, section.sh_offset, section.sh_size), names, each, data);
    }
}

/* ---- archives -------------------------------------------------------------------------------- */

static bool holds(struct bytes bytes, const char *folder);

/* The member of a thin archive is a file of its own, named in the table of long names. */
static bool thin_member_holds(const struct ar_hdr *header, struct bytes names, const char *folder) {
    char path[4096];
    size_t at = strtoul(header->ar_name + 1, NULL, 10);
    if (header->ar_name[0] != '/' || at >= names.size)
        return false;
    const char *name = names.at + at;
    const char *end = memchr(name, '\n', names.size - at);
    size_t length = end && end > name ? (size_t)(end - name - 1) : 0;
    int before = name[0] == '/' ? 0 : (int)strlen(folder);
    if (!length || before + length >= sizeof path)
        return false;
    memcpy(path, folder, (size_t)before);
    memcpy(path + before, name, length);
    path[before + length] = '\0';
    return probe_object(path);
}

static bool archive_holds(struct bytes file, const char *folder, bool thin) {
    struct bytes names = {NULL, 0};
    struct ar_hdr header;
    for (size_t at = SARMAG; at + sizeof header <= file.size;) {
        memcpy(&header, file.at + at, sizeof header);
        char digits[sizeof header.ar_size + 1] = "";
        memcpy(digits, header.ar_size, sizeof header.ar_size);
        size_t size = strtoul(digits, NULL, 10);
        bool table = header.ar_name[0] == '/' && strchr("/ S", header.ar_name[1]);
        bool outside = thin && !table;
        struct bytes member = part(file, at + sizeof header, outside ? 0 : size);
        if (memcmp(header.ar_name, "// ", 3) == 0)
            names = member;
        if (outside ? thin_member_holds(&header, names, folder) : !table && holds(member, folder))
            return true;
        at += sizeof header + (outside ? 0 : size + size % 2);
    }
    return false;
}

/* ---- any of them ----------------------------------------------------------------------------- */

static bool holds(struct bytes bytes, const char *folder) {
    static const char bitcode[][4] = {{'B', 'C', (char)0xc0, (char)0xde},
                                      {(char)0xde, (char)0xc0, 0x17, 0x0b}};
    if (starts(bytes, ELFMAG, SELFMAG))
        return elf_holds(bytes);
    if (starts(bytes, ARMAG, SARMAG) || starts(bytes, "!<thin>\n", SARMAG))
        return archive_holds(bytes, folder, bytes.at[2] == 't');
    if (starts(bytes, bitcode[0], 4) || starts(bytes, bitcode[1], 4))
        return has(bytes, "orrery_object", 13);
    return false;
}

bool object_is_ours(const char *file, const char *bytes, size_t size) {
    const char *slash = strrchr(file, '/');
    char folder[4096];
    size_t length = slash ? (size_t)(slash + 1 - file) : 0;
    if (length >= sizeof folder)
        return false;
    memcpy(folder, file, length);
    folder[length] = '\0';
    return holds((struct bytes){bytes, size}, folder);
}
