package dev.downbeat.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Processor time per operation. Unlike wall time, it hardly grows when other processes use the machine.
 *
 * <pre>
 * java -jar jmh-benchmarks/target/benchmarks.jar -prof dev.downbeat.bench.ProcessorTimeProfiler
 * </pre>
 *
 * <p>It is that of the whole process: after warm-up mostly the measuring thread, except in {@link RequestPathBenchmark}, where
 * the threads of the run count as well, and in {@link RecorderBenchmark#drain}, where filling counts as well. Accurate to about
 * a millisecond, so iterations should last a second.
 *
 * <p>On Linux {@code processor.compiler} and {@code processor.gc} are the parts of the JVM's own threads, and {@code
 * processor.waited} is the time for which runnable threads waited for a processor.
 */
public final class ProcessorTimeProfiler implements InternalProfiler {
    private final OperatingSystemMXBean process = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private long beforeNanos;
    private Map<String, Long> threadsBefore = Map.of();

    @Override
    public String getDescription() {
        return "Processor time of the process per operation";
    }

    @Override
    public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
        threadsBefore = ThreadTimes.ofThisProcess();
        beforeNanos = process.getProcessCpuTime();
    }

    @Override
    @SuppressWarnings("rawtypes") // as JMH has it
    public Collection<? extends Result> afterIteration(
            BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
        double nanos = (double) (process.getProcessCpuTime() - beforeNanos);
        long operations = result.getMetadata().getAllOps();
        List<Result> results = new ArrayList<>();
        results.add(new ScalarResult("processor", nanos / operations, "ns/op", AggregationPolicy.AVG));
        Map<String, Long> threads = ThreadTimes.ofThisProcess();
        threads.forEach((kind, sum) -> results.add(new ScalarResult(
                "processor." + kind,
                (double) (sum - threadsBefore.getOrDefault(kind, 0L)) / operations,
                "ns/op",
                AggregationPolicy.AVG)));
        return results;
    }

    /** Processor time of the threads of this process by kind; on Linux only. */
    private static final class ThreadTimes {
        private static final Path THREADS = Path.of("/proc/self/task");

        private ThreadTimes() {}

        /** Nanoseconds of live threads: {@code compiler}, {@code gc}, {@code others}, and {@code waited} of all. */
        static Map<String, Long> ofThisProcess() {
            Map<String, Long> sums = new TreeMap<>();
            try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
                for (Path thread : threads) {
                    add(thread, sums);
                }
            } catch (IOException unavailable) {
                return Map.of();
            }
            return sums;
        }

        private static void add(Path thread, Map<String, Long> sums) {
            try {
                String[] ran =
                        Files.readString(thread.resolve("schedstat")).strip().split(" ", -1);
                sums.merge(kind(Files.readString(thread.resolve("comm"))), Long.valueOf(ran[0]), Long::sum);
                sums.merge("waited", Long.valueOf(ran[1]), Long::sum);
            } catch (IOException gone) {
                return; // the thread has ended; its time is missing
            }
        }

        private static String kind(String name) {
            if (name.startsWith("C1 Comp") || name.startsWith("C2 Comp")) {
                return "compiler";
            }
            return name.startsWith("GC ") || name.startsWith("G1 ") ? "gc" : "others";
        }
    }
}
