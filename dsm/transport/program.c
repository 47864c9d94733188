/* The first message of a job: do all ranks run the same program? */
#define _GNU_SOURCE
#include "dsm/transport/messages.h"

#include <elf.h>
#include <link.h>
#include <string.h>

/* That of the first answers about addresses: a rank of an Orrery without this message is found
 * by the length of its answer. */
#define TAG_PROGRAM 3

/* FNV-1a. What AddressSanitizer keeps between variables is read, too. */
static __attribute__((no_sanitize_address)) uint64_t mix(uint64_t hash, const void *data,
                                                         size_t bytes) {
    const unsigned char *from = data;
    for (size_t i = 0; i < bytes; ++i)
        hash = (hash ^ from[i]) * 1099511628211u;
    return hash;
}

static size_t aligned(size_t bytes, size_t align) {
    return (bytes + align - 1) / align * align;
}

/* Mixes the linker's hash of what it linked into `hash`. False: the notes have none. */
static bool mix_build(const char *notes, size_t bytes, size_t align, uint64_t *hash) {
    align = align < 4 ? 4 : align;
    for (size_t at = 0; at + sizeof(ElfW(Nhdr)) < bytes;) {
        const ElfW(Nhdr) *note = (const void *)(notes + at);
        size_t text = at + aligned(sizeof *note + note->n_namesz, align);
        at = aligned(text + note->n_descsz, align);
        bool named = note->n_namesz == 4 && memcmp(note + 1, "GNU", 4) == 0;
        if (named && note->n_type == NT_GNU_BUILD_ID && text + note->n_descsz <= bytes) {
            *hash = mix(*hash, notes + text, note->n_descsz);
            return true;
        }
    }
    return false;
}

/* Where the parts lie, and what is in them: the build id says it, else all that no run changes. */
static int mix_program(struct dl_phdr_info *info, size_t size, void *data) {
    (void)size;
    uint64_t *hash = data;
    bool built = false;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const char *at = (const char *)(info->dlpi_addr + part->p_vaddr);
        *hash = mix(*hash, part, sizeof *part);
        if (part->p_type == PT_NOTE && !built)
            built = mix_build(at, part->p_memsz, part->p_align, hash);
    }
    for (int i = 0; i < info->dlpi_phnum && !built; ++i) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_R && !(part->p_flags & PF_W))
            *hash = mix(*hash, (const char *)(info->dlpi_addr + part->p_vaddr), part->p_filesz);
    }
    return 1;
}

void dsm_program_check(void) {
    uint64_t mine = 14695981039346656037u, other;
    dl_iterate_phdr(mix_program, &mine);
    if (dsm_world.rank > 0)
        dsm_wait(dsm_message_send(DSM_BULK, 0, TAG_PROGRAM, &mine, sizeof mine));
    for (int rank = 1; dsm_world.rank == 0 && rank < dsm_world.ranks; ++rank) {
        dsm_wait(dsm_message_receive(DSM_BULK, rank, TAG_PROGRAM, &other, sizeof other));
        if (other != mine)
            dsm_fail(DSM_STATUS_ERROR, "rank %d runs another program than rank 0; %s", rank,
                     DSM_SAME_PROGRAM);
    }
}
