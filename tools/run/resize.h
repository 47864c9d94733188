/* A job that goes on with more or fewer ranks when a file says so (`orrery resize`). */
#ifndef ORRERY_TOOLS_RESIZE_H
#define ORRERY_TOOLS_RESIZE_H

#include <stdbool.h>
#include <sys/stat.h>
#include <time.h>

/* What is wanted, and what can be done. */
struct resize {
    const char *file; /* NULL: nobody asks */
    long ranks;       /* that take part */
    long
        most; /* with so many processes, all of them at most take part, and no data is read again */
    bool begins;  /* with any other number the job ends with a checkpoint, and begins from it */
    bool anew;    /* set: it is to do so */
    long refused; /* the number that was refused last, 0 = none */
    dev_t device; /* the file as it was read last, */
    ino_t inode;  /* ... */
    struct timespec time; /* its last change */
};

enum resize_step { RESIZE_NOTHING, RESIZE_DEAL, RESIZE_ANEW };

/* What is in the file now was written for another run. */
void resize_start(struct resize *resize);

/* Looks at the file. DEAL: so many of the processes are to take part now. ANEW: the job is to end with
 * a checkpoint, once. Both are said, and what cannot be. */
enum resize_step resize_look(struct resize *resize, const char *who);

/* Writes the file: 0, or 2 after a message. */
int resize_write(const char *file, long ranks);

#endif
