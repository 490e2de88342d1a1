package dev.downbeat.stats;

import dev.downbeat.stats.position.SerialRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntSupplier;

/** Serial runs against a service that takes about 1 ms, and about 30 ms more for a new connection. */
public final class SimulatedService {
    public static final long MS = 1_000_000;

    private SimulatedService() {}

    /** @param life draws after how many requests a connection ends */
    public static List<List<SerialRequest>> runs(SplittableRandom random, int runs, int length, IntSupplier life) {
        List<List<SerialRequest>> all = new ArrayList<>();
        for (int run = 0; run < runs; run++) {
            List<SerialRequest> requests = new ArrayList<>();
            int left = 0;
            int position = 0;
            for (int i = 0; i < length; i++) {
                if (left == 0) {
                    left = life.getAsInt();
                    position = 0;
                }
                left--;
                requests.add(request(random, ++position));
            }
            all.add(requests);
        }
        return all;
    }

    private static SerialRequest request(SplittableRandom random, int position) {
        boolean first = position == 1;
        return new SerialRequest(
                position,
                true,
                first ? around(random, MS) : 0,
                first ? around(random, 2 * MS) : 0,
                first ? around(random, 25 * MS) : 0,
                around(random, first ? 3 * MS : MS),
                around(random, MS / 10));
    }

    public static long around(SplittableRandom random, long nanos) {
        return Math.round(nanos * Math.exp(random.nextDouble(-0.4, 0.4)));
    }
}
