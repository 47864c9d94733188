/* docs/messages/ as data. The table is generated when the program is built. */
#ifndef ORRERY_ANALYZER_DIAG_PAGES_H
#define ORRERY_ANALYZER_DIAG_PAGES_H

/* `text`: the page, NUL-terminated; the table ends with a NULL code. */
struct diag_page {
    const char *code;
    const unsigned char *text;
};

extern const struct diag_page diag_pages[];

#endif
