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

/* ---- archives -------------------------------------------------------------------------------- */

/* Who looks at members until one makes him stop; `folder`: where the archive is, "" or with a slash. */
struct members {
    bool (*see)(void *data, struct bytes member);
    void *data;
    const char *folder;
    bool stopped;
};

static void member_read(void *data, const char *file, const char *bytes, size_t size) {
    struct members *members = data;
    (void)file;
    members->stopped = members->see(members->data, (struct bytes){bytes, size});
}

/* The member of a thin archive is a file of its own, named in the table of long names. */
static void thin_member_see(struct members *members, const struct ar_hdr *header,
                            struct bytes names) {
    char path[4096];
    size_t at = strtoul(header->ar_name + 1, NULL, 10);
    if (header->ar_name[0] != '/' || at >= names.size)
        return;
    const char *name = names.at + at;
    const char *end = memchr(name, '\n', names.size - at);
    size_t length = end && end > name ? (size_t)(end - name - 1) : 0;
    int before = name[0] == '/' ? 0 : (int)strlen(members->folder);
    if (!length || before + length >= sizeof path)
        return;
    memcpy(path, members->folder, (size_t)before);
    memcpy(path + before, name, length);
    path[before + length] = '\0';
    probe_read(path, member_read, members);
}

static bool archive_each(struct bytes file, struct members *members, bool thin) {
    struct bytes names = {NULL, 0};
    struct ar_hdr header;
    for (size_t at = SARMAG; at + sizeof header <= file.size && !members->stopped;) {
        memcpy(&header, file.at + at, sizeof header);
        char digits[sizeof header.ar_size + 1] = "";
        memcpy(digits, header.ar_size, sizeof header.ar_size);
        size_t size = strtoul(digits, NULL, 10);
        bool table = header.ar_name[0] == '/' && strchr("/ S", header.ar_name[1]);
        bool outside = thin && !table;
        struct bytes member = part(file, at + sizeof header, outside ? 0 : size);
        if (memcmp(header.ar_name, "// ", 3) == 0)
            names = member;
        if (outside)
            thin_member_see(members, &header, names);
        else if (!table)
            members->stopped = members->see(members->data, member);
        at += sizeof header + (outside ? 0 : size + size % 2);
    }
    return members->stopped;
}

static bool is_archive(struct bytes file) {
    return starts(file, ARMAG, SARMAG) || starts(file, "!<thin>\n", SARMAG);
}

/* What `see` says of an object, or of an archive's members until one makes it stop. */
static bool file_see(const char *file, struct bytes bytes,
                     bool (*see)(void *data, struct bytes member), void *data) {
    const char *slash = strrchr(file, '/');
    char folder[4096];
    size_t length = slash ? (size_t)(slash + 1 - file) : 0;
    if (length >= sizeof folder)
        return false;
    memcpy(folder, file, length);
    folder[length] = '\0';
    struct members members = {see, data, folder, false};
    return is_archive(bytes) ? archive_each(bytes, &members, bytes.at[2] == 't') : see(data, bytes);
}

/* ---- is it ours ------------------------------------------------------------------------------- */

static bool holds(void *data, struct bytes bytes) {
    static const char bitcode[][4] = {{'B', 'C', (char)0xc0, (char)0xde},
                                      {(char)0xde, (char)0xc0, 0x17, 0x0b}};
    (void)data;
    if (starts(bytes, ELFMAG, SELFMAG))
        return elf_holds(bytes);
    if (starts(bytes, bitcode[0], 4) || starts(bytes, bitcode[1], 4))
        return has(bytes, "orrery_object", 13);
    return false;
}

bool object_is_ours(const char *file, const char *bytes, size_t size) {
    return file_see(file, (struct bytes){bytes, size}, holds, NULL);
}

/* ---- what it defines -------------------------------------------------------------------------- */

struct definitions {
    void (*each)(void *data, const char *name);
    void *data;
};

static bool section_read(struct bytes file, const Elf64_Ehdr *header, unsigned i,
                         Elf64_Shdr *section) {
    struct bytes raw = part(file, header->e_shoff + i * sizeof *section, sizeof *section);
    if (raw.size)
        memcpy(section, raw.at, sizeof *section);
    return raw.size != 0;
}

static void defined_each(struct bytes symbols, struct bytes names,
                         const struct definitions *definitions) {
    Elf64_Sym symbol;
    for (size_t at = 0; at + sizeof symbol <= symbols.size; at += sizeof symbol) {
        memcpy(&symbol, symbols.at + at, sizeof symbol);
        if (ELF64_ST_BIND(symbol.st_info) != STB_LOCAL && symbol.st_shndx != SHN_UNDEF &&
            symbol.st_name < names.size)
            definitions->each(definitions->data, names.at + symbol.st_name);
    }
}

static bool defines(void *data, struct bytes file) {
    Elf64_Ehdr header;
    Elf64_Shdr section, strings;
    if (!starts(file, ELFMAG, SELFMAG) || file.size < sizeof header ||
        file.at[EI_CLASS] != ELFCLASS64)
        return false;
    memcpy(&header, file.at, sizeof header);
    for (unsigned i = 0; header.e_shentsize == sizeof section && i < header.e_shnum; ++i) {
        if (!section_read(file, &header, i, &section) || section.sh_type != SHT_SYMTAB ||
            !section_read(file, &header, section.sh_link, &strings))
            continue;
        struct bytes names = part(file, strings.sh_offset, strings.sh_size);
        if (names.size && !names.at[names.size - 1])
            defined_each(part(file, section.sh_offset, section.sh_size), names, data);
    }
    return false;
}

void object_defines(const char *file, const char *bytes, size_t size,
                    void (*each)(void *data, const char *name), void *data) {
    struct definitions definitions = {each, data};
    file_see(file, (struct bytes){bytes, size}, defines, &definitions);
}
