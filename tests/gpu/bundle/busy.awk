# busy.awk TRACE (ORRERY_TRACE): of every region but the first of its loop, the share of its time in which a kernel of any
# rank ran; how many messages and copies there were beside kernels. Prints the least and the median share.
BEGIN { runs = kernels = moves = n = beside = 0 }
function number(name) {
    match($0, "\"" name "\":[-0-9.]+")
    return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0
}
!/"ph":"X"/ { next }
{ begin = number("ts"); end = begin + number("dur"); rank = number("pid") }
/^{"name":"kernel / { first[kernels] = begin; last[kernels++] = end; next }
/^{"name":"run / && rank == 0 { split($0, words, "\""); where[runs] = words[4]; from[runs] = begin; to[runs++] = end; next }
/^{"name":"(column|copy) / { low[moves] = begin; high[moves++] = end }
# Kernels in the order of their beginnings, so that what overlaps counts once.
function sort(n,    i, j, a, b) {
    for (i = 1; i < n; ++i) {
        a = first[i]; b = last[i]
        for (j = i; j > 0 && first[j - 1] > a; --j) { first[j] = first[j - 1]; last[j] = last[j - 1] }
        first[j] = a; last[j] = b
    }
}
function share(low, high,    i, at, busy, a, b) {
    at = low
    for (i = 0; i < kernels; ++i) {
        a = first[i] > at ? first[i] : at; b = last[i] < high ? last[i] : high
        if (b > a) { busy += b - a; at = b }
    }
    return busy / (high - low)
}
END {
    sort(kernels)
    for (i = 0; i < runs; ++i)
        if (seen[where[i]]++ && to[i] > from[i]) shares[n++] = share(from[i], to[i])
    for (i = 0; i < n; ++i)
        for (j = i; j > 0 && shares[j - 1] > shares[j]; --j) { t = shares[j]; shares[j] = shares[j - 1]; shares[j - 1] = t }
    for (i = 0; i < moves; ++i)
        for (k = 0; k < kernels; ++k)
            if (low[i] < last[k] && high[i] > first[k]) { ++beside; break }
    if (!n) { print "no region was run twice"; exit 1 }
    printf "busy %.1f %% of a pass (the least %.1f %%), %d of %d messages and copies beside kernels\n", 100 * shares[int(n / 2)], 100 * shares[0], beside, moves
}
