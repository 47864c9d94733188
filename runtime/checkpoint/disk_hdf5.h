/* The door to HDF5, with a driver for files that are written: no write fails (disk_hdf5.c).
 * Inside of the module only. */
#ifndef ORRERY_CHECKPOINT_DISK_HDF5_H
#define ORRERY_CHECKPOINT_DISK_HDF5_H

#include <hdf5.h>
#include <stdbool.h>

/* Access properties for H5Fcreate. `own`: the file must not exist, and only its owner may read it.
 * One file at a time. -1: the driver is not there. */
hid_t orrery_disk_access(bool own);

/* What kept bytes of the last file from the disk, an errno; 0 = nothing so far. */
int orrery_disk_error(void);

/* Another file is read next. */
void orrery_disk_forget(void);

#endif
