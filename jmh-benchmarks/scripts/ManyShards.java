
/** Writes synthetic results of many shards, each of 10 s at 1,000 requests/s. */
public final class ManyShards {
    private static final long INTERVAL = 200_000_000L;
    private static final int INTERVALS = 50;
    private static final int REQUESTS = 200;
    private static final int DIFFERENT = 10;

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        Path folder = Files.createDirectories(Path.of(args[1]));
        MachineProfile machine = MachineProfile.measure();
        List<RunResult> some = new ArrayList<>();
        for (int shard = 0; shard < count; shard++) {
            // A few different ones are enough: adding up equal ones takes as long.
            long seed = shard % DIFFERENT;
            RunResult made = shard < DIFFERENT ? result(seed) : some.get((int) seed);
            if (shard < DIFFERENT) {
                some.add(made);
            }
            RunResult result = of(new Shard(shard, count), made);
            RunReport report = new RunReport(
                    result,
                    RunVerdict.of(result, List.of(ServiceLevelObjective.parse("p99<1s"))),
                    List.of("downbeat", "run", "http://localhost/", "--shard=" + shard + "/" + count),
                    Optional.of("1"),
                    "simulated",
                    machine,
                    Map.of("plan_id", "simulated", "shard", shard + "/" + count));
            try (OutputStream out = Files.newOutputStream(folder.resolve("shard-" + shard + ".downbeat"))) {
                RunFile.write(report, out);
            }
        }
    }

    private static RunPlan plan(Shard shard) {
        return RunPlan.builder(new Workload.Open(new Poisson(Rate.perSecond(1_000L * shard.count()), 1)))
                .duration(Duration.ofSeconds(10))
                .interval(Duration.ofNanos(INTERVAL))
                .shard(shard)
                .start(Instant.EPOCH)
                .build();
    }

    private static RunResult of(Shard shard, RunResult made) {
        return new RunResult(
                plan(shard),
                made.target(),
                RunSpan.of(made.started(), 0, made.durationNanos(), made.ending()),
                made.recording(),
                made.intervals(),
                LaneCounts.of(made.connections(), made.counts()),
                made.health());
    }

    private static RunResult result(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        CorrectedRecorder recorder = new CorrectedRecorder();
        Exchange exchange = new Exchange(0);
        exchange.outcome = Outcome.answered();
        Recording total = Recording.empty();
        List<Interval> intervals = new ArrayList<>();
        for (int i = 0; i < INTERVALS; i++) {
            recorder.planned(REQUESTS);
            for (int request = 0; request < REQUESTS; request++) {
                long intended = i * INTERVAL + request * (INTERVAL / REQUESTS);
                long late = 10_000 + random.nextInt(40_000);
                exchange.begin(intended, intended + late, intended + late);
                exchange.position = 2 + request;
                exchange.completedAt = intended + late + (long) (2e6 * Math.exp(0.5 * random.nextGaussian()));
                exchange.firstByteAt = exchange.completedAt;
                recorder.completed(exchange);
            }
            Recording counted = recorder.drain();
            total = total.plus(counted);
            intervals.add(new Interval(i * INTERVAL, (i + 1) * INTERVAL, counted).forTimeline());
        }
        long nanos = INTERVALS * INTERVAL;
        return new RunResult(
                plan(Shard.WHOLE),
                "GET http://localhost/",
                RunSpan.of(Instant.EPOCH, 0, nanos, RunSpan.Ending.COMPLETE),
                total,
                intervals,
                LaneCounts.NONE,
                new GeneratorHealth(nanos, nanos / 5, 2_000_000, 0, 0, 3, 5_000_000, 2_000_000, 0));
    }
}
