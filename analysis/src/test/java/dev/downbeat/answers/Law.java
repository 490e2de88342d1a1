package dev.downbeat.answers;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * A service and its callers, whose requests can be made up without end: each run is begun in the steady state. One server with a
 * queue, or, if it has no load, as many servers as there are requests.
 *
 * @param words what it is
 * @param load share of the time in which the server is busy; 0 if no request waits for another
 * @param service what a request takes at the server, as a multiple of the mean
 * @param level by what it takes longer at a time
 * @param arrivals by what more requests come at a time, 2 at most; they are Poisson
 * @param batch so many come at once
 * @param users so many send the next request when they have the answer to the last; 0 if callers do not wait
 * @param stalls when nobody is answered
 * @param roundSeconds how long what changes takes to come round, or a queue to forget; 0 for less than a second
 * @param known p50, p90 and p99 in milliseconds at 100 requests a second, from {@code AnswerTableMain truths}
 */
record Law(
        String words,
        double load,
        ToDoubleFunction<SplittableRandom> service,
        Course level,
        Course arrivals,
        int batch,
        int users,
        Stalls stalls,
        double roundSeconds,
        double... known) {
    /** At this rate all laws are known. */
    static final int PER_SECOND = 100;

    private static final Course STEADY = random -> second -> 1;
    private static final double USUAL_MILLIS = 5;
    private static final double MOST_ARRIVALS = 2;

    /** So long a queue goes on before it is looked at. */
    private static final double LEAD_SECONDS = 60;

    /** Of this length, one each so many seconds, exactly or on average; none if that is 0. */
    private record Stalls(double millis, double eachSeconds, boolean isRegular) {
        private static final Stalls NONE = new Stalls(0, 0, true);

        double next(SplittableRandom random) {
            return eachSeconds == 0
                    ? Double.POSITIVE_INFINITY
                    : eachSeconds * (isRegular ? random.nextDouble(0.999, 1.001) : random.nextExponential());
        }
    }

    private static double scatter(SplittableRandom random) {
        return Math.exp(0.3 * random.nextGaussian());
    }

    private static Law queue(String words, double load, ToDoubleFunction<SplittableRandom> service, double... known) {
        return new Law(words, load, service, STEADY, STEADY, 1, 0, Stalls.NONE, 0, known);
    }

    private static Law level(String words, double roundSeconds, Course level, double... known) {
        return new Law(words, 0, Law::scatter, level, STEADY, 1, 0, Stalls.NONE, roundSeconds, known);
    }

    private static Law stalls(String words, Stalls stalls, double... known) {
        return new Law(words, 0, Law::scatter, STEADY, STEADY, 1, 0, stalls, stalls.eachSeconds, known);
    }

    private static Law bursts(double seconds, double... known) {
        Course onOff = Course.spells(seconds, 2 * seconds, MOST_ARRIVALS, 0);
        return new Law(
                "arrivals on and off for " + seconds + " s",
                0.3,
                SplittableRandom::nextExponential,
                STEADY,
                onOff,
                1,
                0,
                Stalls.NONE,
                2 * seconds,
                known);
    }

    private static double pareto(SplittableRandom random) {
        return 0.6 * Math.pow(1 - random.nextDouble(), -0.4);
    }

    private static double logNormal(SplittableRandom random) {
        return Math.exp(random.nextGaussian() - 0.5);
    }

    private static double twoClasses(SplittableRandom random) {
        return random.nextExponential() * (random.nextInt(10) == 0 ? 5.5 : 0.5);
    }

    private static double timer(SplittableRandom random) {
        return Math.ceil(4 * (scatter(random) + random.nextDouble())) / 4;
    }

    private static double atoms(SplittableRandom random) {
        return random.nextInt(100) < 70 ? 0.4 : random.nextInt(100) < 95 ? 2 : 12;
    }

    /** All that are tried. */
    static Stream<Law> all() {
        ToDoubleFunction<SplittableRandom> exponential = SplittableRandom::nextExponential;
        return Stream.of(
                queue("M/M/1 0.3", 0.3, exponential, 2.9706, 9.8682, 19.7364),
                queue("M/M/1 0.8", 0.8, exponential, 27.7259, 92.1034, 184.2068),
                new Law(
                        "M/M/1 0.95",
                        0.95,
                        exponential,
                        STEADY,
                        STEADY,
                        1,
                        0,
                        Stalls.NONE,
                        15,
                        131.6980,
                        437.4912,
                        874.9823),
                queue("Pareto 2.5, 0.5", 0.5, Law::pareto, 5.9105, 17.4029, 51.7018),
                queue("log-normal, 0.6", 0.6, Law::logNormal, 9.8432, 44.6669, 112.6892),
                queue("two classes, 0.5", 0.5, Law::twoClasses, 5.4149, 65.1141, 164.2742),
                new Law(
                        "batches of 10, 0.5",
                        0.5,
                        exponential,
                        STEADY,
                        STEADY,
                        10,
                        0,
                        Stalls.NONE,
                        0,
                        42.8257,
                        115.7489,
                        220.8727),
                new Law(
                        "10 users, 0.8",
                        0.8,
                        exponential,
                        STEADY,
                        STEADY,
                        1,
                        10,
                        Stalls.NONE,
                        0,
                        18.3562,
                        48.9411,
                        83.3782),
                bursts(0.1, 4.7619, 15.8223, 31.6867),
                bursts(3, 5.1784, 17.1981, 34.4084),
                bursts(30, 5.1945, 17.2575, 34.5436),
                level("spells x2.2 of 1 s each 5 s", 5, Course.spells(1, 5, 2.2, 1), 5.4904, 11.1275, 18.0197),
                level("spells x2.2 of 5 s each 25 s", 25, Course.spells(5, 25, 2.2, 1), 5.4904, 11.1275, 18.0197),
                level("spells x2.2 of 15 s each 75 s", 75, Course.spells(15, 75, 2.2, 1), 5.4904, 11.1275, 18.0197),
                level("level +-30 %, memory 3 s", 3, Course.wandering(0.3, 3), 5.0000, 8.6120, 13.4157),
                level("level +-30 %, memory 30 s", 30, Course.wandering(0.3, 30), 5.0000, 8.6120, 13.4157),
                level("wave of 30 %, 20 s", 20, Course.wave(0.3, 20), 4.9004, 7.8715, 11.2563),
                level("wave of 30 %, 200 s", 200, Course.wave(0.3, 200), 4.9004, 7.8738, 11.2568),
                stalls("stalls of 200 ms each 5 s", new Stalls(200, 5, true), 5.0790, 7.9122, 155.1811),
                stalls("stalls of 500 ms each 60 s, Poisson", new Stalls(500, 60, false), 5.0163, 7.4440, 12.0494),
                new Law("timer of 1.25 ms", 0, Law::timer, STEADY, STEADY, 1, 0, Stalls.NONE, 0, 8.75, 11.25, 13.75),
                new Law("atoms", 0, Law::atoms, STEADY, STEADY, 1, 0, Stalls.NONE, 0, 2, 10, 60));
    }

    /** One of the percentiles 50, 90 and 99, in milliseconds. */
    double truth(double percentile, int perSecond) {
        double at100 = known[percentile == 50 ? 0 : percentile == 90 ? 1 : 2];
        return load == 0 ? at100 : at100 * PER_SECOND / perSecond;
    }

    /** Whether the truth is known at other rates than {@link #PER_SECOND}. */
    boolean isKnownAtAnyRate() {
        return load == 0 || arrivals == STEADY;
    }

    /** Whether the load does not depend on the time: who looks in at any moment meets what callers meet. */
    boolean areCallersAtRandom() {
        return batch == 1 && users == 0 && arrivals == STEADY;
    }

    /** Takes requests in the order in which they came. */
    interface Requests {
        void request(double second, double millis);
    }

    void run(double seconds, int perSecond, SplittableRandom random, Requests requests) {
        double lead = load == 0 ? 0 : LEAD_SECONDS;
        double end = lead + seconds;
        if (users > 0) {
            closed(end, perSecond, random, requests);
            return;
        }
        DoubleUnaryOperator slower = level.begin(random);
        DoubleUnaryOperator more = arrivals.begin(random);
        double usual = load == 0 ? USUAL_MILLIS / 1e3 : load / perSecond;
        double most = arrivals == STEADY ? 1 : MOST_ARRIVALS;
        double stall = stalls.next(random) * random.nextDouble();
        double waiting = 0;
        double second = 0;
        while (true) {
            double gap = random.nextExponential() * batch / perSecond / most;
            second += gap;
            if (second >= end) {
                return;
            }
            for (; stall <= second; stall += stalls.next(random)) {
                waiting = Math.max(waiting - gap, 0) + Math.max(0, stall + stalls.millis / 1e3 - second);
                gap = 0;
            }
            waiting = Math.max(0, waiting - gap);
            boolean comes = most == 1 || random.nextDouble() * most < more.applyAsDouble(second);
            for (int i = 0; comes && i < batch; i++) {
                double own = service.applyAsDouble(random) * usual * slower.applyAsDouble(second);
                if (second >= lead) {
                    requests.request(second - lead, 1e3 * (waiting + own));
                }
                waiting += load == 0 ? 0 : own;
            }
        }
    }

    /** Think times are such that about so many requests come a second. */
    private void closed(double end, int perSecond, SplittableRandom random, Requests requests) {
        double usual = load / perSecond;
        double thinking = Math.max(usual, users / (double) perSecond - 3 * usual);
        double[] next = random.doubles(users).map(each -> each * thinking).toArray();
        double free = 0;
        while (true) {
            int user = 0;
            for (int i = 1; i < users; i++) {
                user = next[i] < next[user] ? i : user;
            }
            double second = next[user];
            if (second >= end) {
                return;
            }
            free = Math.max(free, second) + usual * service.applyAsDouble(random);
            if (second >= LEAD_SECONDS) {
                requests.request(second - LEAD_SECONDS, 1e3 * (free - second));
            }
            next[user] = free + thinking * random.nextExponential();
        }
    }

    @Override
    public String toString() {
        return words + " " + Arrays.toString(known);
    }
}
