# Prints Markdown tables from raw.tsv (round, part, tool, metric, value) and versions.tsv (tool, version).
# Every figure is a median over the rounds with its range; a ratio is the median of the rounds' ratios.

BEGIN {
    FS = "\t"
    versions_file = ARGV[1]
}

FILENAME == versions_file {
    version[$1] = $2
    order[++tools] = $1
    next
}

{
    value[$1, $2, $3, $4] = $5
    if ($1 > rounds) rounds = $1
    seen[$2, $3] = 1
    part[$2] = 1
}

function collect(list, p, tool, metric,    r, n) {
    n = 0
    for (r = 1; r <= rounds; r++) if ((r, p, tool, metric) in value) list[++n] = value[r, p, tool, metric] + 0
    return sort(list, n)
}

function collect_ratio(list, p, tool, metric, base,    r, n, below) {
    n = 0
    for (r = 1; r <= rounds; r++) {
        if (!((r, p, tool, metric) in value) || !((r, p, base, metric) in value)) continue
        below = value[r, p, base, metric]
        if (below > 0) list[++n] = value[r, p, tool, metric] / below
    }
    return sort(list, n)
}

function sort(list, n,    i, j, x) {
    for (i = 2; i <= n; i++) {
        x = list[i]
        for (j = i - 1; j > 0 && list[j] > x; j--) list[j + 1] = list[j]
        list[j + 1] = x
    }
    return n
}

function median(list, n) {
    return n % 2 ? list[(n + 1) / 2] : (list[n / 2] + list[n / 2 + 1]) / 2
}

function spread(p, tool, metric, form,    list, n) {
    n = collect(list, p, tool, metric)
    if (n == 0) return "-"
    if (n == 1) return sprintf(form, list[1])
    return sprintf(form, median(list, n)) " (" sprintf(form, list[1]) "–" sprintf(form, list[n]) ")"
}

function middle(p, tool, metric, form,    list, n) {
    n = collect(list, p, tool, metric)
    return n ? sprintf(form, median(list, n)) : "-"
}

function ratio(p, tool, metric, base,    list, n) {
    n = collect_ratio(list, p, tool, metric, base)
    return n ? sprintf("%.2f", median(list, n)) : "-"
}

function three(p, tool, kind) {
    if (middle(p, tool, kind "_p50", "%.1f") == "-") return "-"
    return middle(p, tool, kind "_p50", "%.1f") " / " middle(p, tool, kind "_p99", "%.1f") " / " \
        middle(p, tool, kind "_p99.9", "%.1f")
}

function failures(p, tool,    list, n) {
    n = collect(list, p, tool, "failed_run")
    return n ? " (" n " of its runs failed)" : ""
}

function closed(    i, t) {
    if (!("closed" in part)) return
    print "\n## Closed loop: 64 connections, client on one core, server on the other\n"
    print "| tool | requests/s | ÷ wrk | CPU µs/request | ÷ wrk | ÷ lean | peak MiB | own p99 µs |"
    print "|---|---:|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= tools; i++) {
        t = order[i]
        if (!(("closed", t) in seen)) continue
        print "| " t failures("closed", t) " | " spread("closed", t, "per_second", "%.0f") " | " ratio("closed", t, "per_second", "wrk") \
            " | " spread("closed", t, "cpu_us", "%.2f") " | " ratio("closed", t, "cpu_us", "wrk") \
            " | " ratio("closed", t, "cpu_us", "lean") " | " middle("closed", t, "peak_mib", "%.0f") \
            " | " middle("closed", t, "p99_us", "%.0f") " |"
    }
}

function shapes(    i, t, k, n, name) {
    n = split("differing-heads body-16KiB body-1MiB unix-socket connections-1 connections-1000 connections-10000 tls-300B tls-16KiB tls-1MiB http2-tls tls-10000", name, " ")
    for (k = 1; k <= n; k++) if (name[k] in part) break
    if (k > n) return
    print "\n## Closed loop of other shapes: one run per round; CPU of its second half, and of the whole process per request\n"
    print "| shape | tool | requests/s | ÷ wrk | CPU µs/request | ÷ wrk | whole process µs | peak MiB | own p99 µs |"
    print "|---|---|---:|---:|---:|---:|---:|---:|---:|"
    for (k = 1; k <= n; k++) for (i = 1; i <= tools; i++) {
        t = order[i]
        if (!((name[k], t) in seen)) continue
        print "| " name[k] " | " t failures(name[k], t) " | " spread(name[k], t, "per_second", "%.0f") " | " ratio(name[k], t, "per_second", "wrk") \
            " | " spread(name[k], t, "cpu_us", "%.2f") " | " ratio(name[k], t, "cpu_us", "wrk") \
            " | " middle(name[k], t, "whole_cpu_us", "%.2f") \
            " | " middle(name[k], t, "peak_mib", "%.0f") " | " middle(name[k], t, "p99_us", "%.0f") " |"
    }
}

function cold(    k, n, name) {
    if (!("cold" in part)) return
    n = split("help one-request second-of-100 h2load-one-request", name, " ")
    print "\n## Cold: a process from start to end\n"
    print "| command | wall ms | CPU ms | peak MiB |"
    print "|---|---:|---:|---:|"
    for (k = 1; k <= n; k++) if (("cold", name[k]) in seen)
        print "| " name[k] failures("cold", name[k]) " | " spread("cold", name[k], "wall_ms", "%.0f") " | " spread("cold", name[k], "cpu_ms", "%.0f") \
            " | " middle("cold", name[k], "peak_mib", "%.0f") " |"
}

function sustained(p, percent,    i, t) {
    if (!(p in part)) return
    print "\n## Open loop at " percent / 100 " of the highest rate wrk reached so far, 64 connections, client on one core\n"
    print "| tool | planned/s | achieved % of planned | at least 99.9 % | peak MiB | own p99 µs |"
    print "|---|---:|---:|---|---:|---:|"
    for (i = 1; i <= tools; i++) {
        t = order[i]
        if (!((p, t) in seen)) continue
        print "| " t failures(p, t) " | " middle(p, t, "planned", "%.0f") " | " spread(p, t, "achieved", "%.2f") \
            " | " (middle(p, t, "achieved", "%.4f") + 0 >= 99.9 ? "yes" : "no") \
            " | " middle(p, t, "peak_mib", "%.0f") " | " middle(p, t, "p99_us", "%.0f") " |"
    }
}

function pacing(p, title,    i, t) {
    if (!(p in part)) return
    print "\n## Pacing: " title ", constant, 100 connections, seen by the server's kernel\n"
    print "| tool | arrivals/s | CV of gaps | ÷ lean-spin | fitted error µs p50 / p99 / p99.9 | true error µs p50 / p99 / p99.9 | CPU % of a core |"
    print "|---|---:|---:|---:|---:|---:|---:|"
    for (i = 1; i <= tools; i++) {
        t = order[i]
        if (!((p, t) in seen)) continue
        print "| " t failures(p, t) " | " middle(p, t, "rate_seen", "%.0f") " | " spread(p, t, "gap_cv", "%.3f") \
            " | " ratio(p, t, "gap_cv", "lean-spin") " | " three(p, t, "fitted") " | " three(p, t, "true") \
            " | " middle(p, t, "cpu_percent", "%.0f") " |"
    }
}

function freeze(    i, t) {
    if (!("freeze" in part)) return
    print "\n## Ctrl-Z: " freeze_text "\n"
    print "| tool | own p99 s | closed form s | ÷ closed form |"
    print "|---|---:|---:|---:|"
    for (i = 1; i <= tools; i++) {
        t = order[i]
        if (!(("freeze", t) in seen)) continue
        print "| " t failures("freeze", t) " | " spread("freeze", t, "p99_s", "%.4f") " | " middle("freeze", t, "closed_form_s", "%.4f") \
            " | " ratio_of_form(t) " |"
    }
}

function ratio_of_form(t,    r, n, list) {
    for (r = 1; r <= rounds; r++) {
        if (!((r, "freeze", t, "p99_s") in value)) continue
        list[++n] = value[r, "freeze", t, "p99_s"] / value[r, "freeze", t, "closed_form_s"]
    }
    sort(list, n)
    return n ? sprintf("%.4f", median(list, n)) : "-"
}

END {
    closed()
    shapes()
    sustained("sustained-75", 75)
    sustained("sustained-85", 85)
    sustained("sustained-95", 95)
    pacing("pacing-2000", "2,000/s")
    pacing("pacing-10000", "10,000/s")
    freeze()
    cold()
    print "\n## Versions\n"
    for (i = 1; i <= tools; i++) print "* " order[i] ": " version[order[i]]
}
