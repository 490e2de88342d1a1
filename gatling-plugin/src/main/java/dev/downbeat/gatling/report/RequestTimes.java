package dev.downbeat.gatling.report;

import dev.downbeat.gatling.ledger.Requests;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.time.DurationText;
import java.util.List;
import java.util.OptionalLong;

/**
 * The numbers of one row of a table of requests, in nanoseconds; empty where nothing was measured.
 *
 * @param ledger of its requests
 * @param seen p50, p95, p99 and max of the answered, and of those without an end with what they had lasted
 * @param failed p50, p99 and max of the failed
 */
record RequestTimes(Ledger ledger, List<OptionalLong> seen, List<OptionalLong> failed) {
    static RequestTimes of(Requests requests) {
        Recording all = requests.recording();
        Distribution seen = all.responseAtLeast();
        return new RequestTimes(
                all.ledger(),
                List.of(at(seen, 50), at(seen, 95), at(seen, 99), at(seen, 100)),
                List.of(at(all.failed(), 50), at(all.failed(), 99), at(all.failed(), 100)));
    }

    /** For a reader; empty where nothing was measured. */
    static String words(OptionalLong nanos) {
        return nanos.isEmpty() ? "" : DurationText.rounded(nanos.getAsLong());
    }

    private static OptionalLong at(Distribution times, double percentile) {
        return times.isEmpty() ? OptionalLong.empty() : OptionalLong.of(times.valueAtPercentile(percentile));
    }
}
