# Computes from a stamper's file how regularly requests arrived and how far from their intended times.
#
#   awk -v rate=10000 [-v skip=0.5] [-v start=MONOTONIC_NS] -f analyse.awk stamps.txt
#
# Prints "name value" lines, times in microseconds. Ignores the first `skip` seconds after the first request.
#
# gap_cv       standard deviation of the gaps between requests divided by their mean; 0 is a metronome, 1 is random
# fitted_*     arrival_i - (t0 + i / rate), with t0 such that 0.1 % of the arrivals are at or before their time. Needs no
#              data from the tool, but cannot see a lateness that all requests share. A tool that does not keep the rate
#              drifts, which counts as error.
# true_*       the same with t0 = start, the intended time of request 0 reported by the tool (CLOCK_MONOTONIC); only if
#              given. The i-th arrival counts as request i.

$1 == "#" {
    header[$2] = $3
    next
}

{
    at[n++] = $1
}

# Hoare's selection: moves the k-th smallest of v[0 .. size - 1] to index k.
function nth(v, size, k,    low, high, i, j, pivot, swap) {
    low = 0
    high = size - 1
    while (low < high) {
        pivot = v[int((low + high) / 2)]
        i = low
        j = high
        while (i <= j) {
            while (v[i] < pivot) i++
            while (v[j] > pivot) j--
            if (i <= j) {
                swap = v[i]; v[i] = v[j]; v[j] = swap
                i++
                j--
            }
        }
        if (j < k) low = i
        if (k < i) high = j
    }
    return v[k]
}

function quantile(v, size, share,    k) {
    k = int(share * size + 0.999999) - 1
    return nth(v, size, k < 0 ? 0 : k)
}

function print_errors(name, v, size, zero) {
    printf "%s_p50 %.1f\n", name, (quantile(v, size, 0.5) - zero) / 1000
    printf "%s_p99 %.1f\n", name, (quantile(v, size, 0.99) - zero) / 1000
    printf "%s_p99.9 %.1f\n", name, (quantile(v, size, 0.999) - zero) / 1000
}

END {
    if (skip == "") skip = 0.5
    first = 0
    while (first < n && at[first] < skip * 1e9) first++
    count = n - first
    printf "arrivals %d\n", n
    printf "without_kernel_stamp %d\n", header["without_kernel_stamp"]
    if (count < 100) exit
    gaps = count - 1
    mean = (at[n - 1] - at[first]) / gaps
    for (i = first + 1; i < n; i++) squares += (at[i] - at[i - 1] - mean) ^ 2
    printf "rate_seen %.1f\n", 1e9 / mean
    printf "gap_cv %.3f\n", sqrt(squares / gaps) / mean
    for (i = first; i < n; i++) error[i - first] = at[i] - i * 1e9 / rate
    print_errors("fitted", error, count, quantile(error, count, 0.001))
    if (start != "") {
        # Subtracts first: a double holds the nanoseconds of an uptime only up to 104 days.
        print_errors("true", error, count, start - header["first_monotonic_ns"])
    }
}
