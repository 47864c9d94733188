/* model_read FILE NAME: prints an array of doubles of an HDF5 file, as HDF5 reads it. */
#include <hdf5.h>
#include <stdio.h>

int main(int argc, char **argv) {
    double values[64];
    hsize_t shape[8];
    hid_t file = argc > 2 ? H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT) : -1;
    hid_t set = file < 0 ? -1 : H5Dopen2(file, argv[2], H5P_DEFAULT);
    if (set < 0)
        return 1;
    hid_t space = H5Dget_space(set);
    int dims = H5Sget_simple_extent_dims(space, shape, NULL);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    if (count > 64 || H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
        return 1;
    for (int i = 0; i < dims; ++i)
        printf("%s%lu", i ? "x" : "", (unsigned long)shape[i]);
    for (hssize_t i = 0; i < count; ++i)
        printf(" %g", values[i]);
    printf("\n");
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    return 0;
}
