/* What the kernel says of this process: /proc/self/status and statm (proc(5)). */
#include "dsm/base/base.h"

#include "dsm/dsm.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    long unit;
} lines[] = {[DSM_PROCESS_TRACER] = {"TracerPid:", 1},
             [DSM_PROCESS_ANONYMOUS] = {"RssAnon:", 1024},
             [DSM_PROCESS_SHARED] = {"RssShmem:", 1024},
             [DSM_PROCESS_PEAK] = {"VmHWM:", 1024}};

static long number_behind(const char *at) {
    long number = 0;
    while (*at == ' ' || *at == '\t')
        ++at;
    for (; *at >= '0' && *at <= '9'; ++at)
        number = number * 10 + (*at - '0');
    return number;
}

long dsm_process_number(enum dsm_process_number which) {
    char text[4096];
    int file = open("/proc/self/status", O_RDONLY | O_CLOEXEC);
    long got = file < 0 ? 0 : dsm_clib_read(file, text, sizeof text - 1);
    size_t length = strlen(lines[which].name);
    if (file >= 0)
        close(file);
    text[got > 0 ? got : 0] = '\0';
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, lines[which].name, length) == 0)
            return number_behind(line + length) * lines[which].unit;
    }
    return -1;
}

size_t dsm_process_bytes(bool files) {
    char text[128] = "";
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    long got = file < 0 ? 0 : dsm_clib_read(file, text, sizeof text - 1);
    const char *pages = got > 0 ? strchr(text, ' ') : NULL;
    if (file >= 0)
        close(file);
    char *end = NULL;
    size_t all = pages ? strtoul(pages, &end, 10) : 0;
    size_t of_files = !files && end ? strtoul(end, NULL, 10) : 0;
    return (all - of_files) * DSM_PAGE;
}
