package dev.downbeat.report.view;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.TargetCounts;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.run.SerialPlan;
import dev.downbeat.run.SerialResult;
import dev.downbeat.selfcheck.GeneratorHealth;
import dev.downbeat.selfcheck.MachineProfile;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Serial runs on paper. */
public final class SerialSamples {
    private static final long SECOND = 1_000_000_000L;
    private static final long MS = 1_000_000;

    private SerialSamples() {}

    /** What a service answers that closes a connection after so many requests. */
    public static PositionReport serial(int runs, int requests, int closesAfter) {
        SplittableRandom random = new SplittableRandom(1);
        List<List<Exchange>> all = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            List<Exchange> exchanges = new ArrayList<>();
            for (int i = 0; i < requests; i++) {
                Exchange exchange = new Exchange(0);
                exchange.begin(0, 0, 0);
                exchange.position = i % closesAfter + 1;
                exchange.connectNanos = exchange.position == 1 ? MS + random.nextLong(MS / 10) : 0;
                exchange.firstByteAt = exchange.connectNanos + 2 * MS + random.nextLong(MS);
                exchange.completedAt = exchange.firstByteAt + MS / 10;
                exchanges.add(exchange);
            }
            all.add(exchanges);
        }
        SerialPlan plan = new SerialPlan(runs, requests, 1, 1, true, Duration.ofSeconds(1), 1);
        long ended = (long) runs * ((requests - 1) / closesAfter);
        SerialResult result = new SerialResult(
                plan,
                "a service on paper",
                Instant.EPOCH,
                SECOND,
                MS,
                all,
                new ConnectionCounts(ended + runs, 0, 0, ended, 0, 0, runs, 0),
                TargetCounts.NONE,
                new TreeMap<>(),
                true,
                new GeneratorHealth(SECOND, SECOND / 10, 0, 0, 0, 0, 0, 0, 0),
                List.of());
        MachineProfile machine =
                new MachineProfile(2, -1, "an OS", "1", "a", "a JVM", List.of("a GC"), 40, 30, 60_000, "");
        return PositionReport.of(result, List.of("downbeat"), "0", machine);
    }
}
