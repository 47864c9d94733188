/* expect: serial ORR2400 12:29 `a[1009 * i + 997 * j - 991 * k + 983 * l - 977 * m + 971 * o]` */
/* large coefficients six loops deep: isl is stopped before it has covered the reads */
void nasty(double *a, const int *restrict n) {
    int n0 = n[0], n1 = n[1], n2 = n[2], n3 = n[3], n4 = n[4], n5 = n[5];
#pragma orrery parallel
    for (int i = 0; i < n0; ++i)
        for (int j = i; j < n1 + i; ++j)
            for (int k = j - i; k < n2 + 2 * j; ++k)
                for (int l = k; l < n3 + 3 * i - k; ++l)
                    for (int m = l - j; m < n4 + k; ++m)
                        for (int o = m; o < n5 - 5 * i + l; ++o)
                            a[1009 * i + 997 * j - 991 * k + 983 * l - 977 * m + 971 * o] =
                                a[967 * i - 953 * j + 947 * k - 941 * l + 937 * m - 929 * o + 7] + 1;
}
