#ifndef SCALE_H
#define SCALE_H

/* y = a * x, n elements each. */
void scale(double *y, const double *x, double a, long n);

#endif
