/* A program of two files for mutants.py: loops here and there, through pointers. */
#ifndef ROWS_H
#define ROWS_H

enum { ROWS = 40, WIDTH = 6 };

void rows_fill(double *rows, int *keys, int count);
double rows_norm(const double *rows, const int *keys, int count);

#endif
