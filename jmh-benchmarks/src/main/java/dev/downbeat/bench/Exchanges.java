package dev.downbeat.bench;

import dev.downbeat.exchange.Exchange;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Answered exchanges like those of a run, created in advance: log-normal service times with a median of 1 ms, exponential
 * lateness with a mean of 20 us, and a wait for a slot for one in ten.
 */
public final class Exchanges {
    /** Too many for the branch predictor to learn, few enough to fit into the caches with the histograms. */
    public static final int COUNT = 4096;

    private static final double MEDIAN_SERVICE_NANOS = 1_000_000;
    private static final double SERVICE_SIGMA = 0.7;
    private static final double MEAN_LATENESS_NANOS = 20_000;
    private static final double MEAN_WAIT_NANOS = 5_000_000;
    private static final int CONNECTIONS = 64;

    private Exchanges() {}

    /**
     * Creates the exchanges of {@value #CONNECTIONS} connections in turn.
     *
     * @param requestsPerConnection requests after which a connection is replaced by a new one
     */
    public static Exchange[] answered(int requestsPerConnection) {
        SplittableRandom random = new SplittableRandom(42);
        int[] positions = random.ints(CONNECTIONS, 1, requestsPerConnection + 1).toArray();
        return IntStream.range(0, COUNT)
                .mapToObj(i -> {
                    int connection = i % CONNECTIONS;
                    positions[connection] = positions[connection] % requestsPerConnection + 1;
                    return answered(i, positions[connection], random);
                })
                .toArray(Exchange[]::new);
    }

    private static Exchange answered(int slot, int position, SplittableRandom random) {
        long intendedAt = random.nextLong();
        long dispatchedAt = intendedAt + exponential(MEAN_LATENESS_NANOS, random);
        boolean waited = random.nextInt(10) == 0;
        long startedAt = dispatchedAt + (waited ? exponential(MEAN_WAIT_NANOS, random) : 0);
        double service = MEDIAN_SERVICE_NANOS * Math.exp(SERVICE_SIGMA * random.nextGaussian());
        Exchange exchange = new Exchange(slot);
        exchange.begin(intendedAt, dispatchedAt, startedAt);
        exchange.completedAt = startedAt + Math.round(service);
        exchange.position = position;
        return exchange;
    }

    private static long exponential(double meanNanos, SplittableRandom random) {
        return Math.round(-Math.log(1 - random.nextDouble()) * meanNanos);
    }
}
