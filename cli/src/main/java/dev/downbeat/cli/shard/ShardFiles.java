package dev.downbeat.cli.shard;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Criteria;
import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.report.data.Diagnosis;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.MergedRun;
import dev.downbeat.run.RunResult;
import dev.downbeat.run.Shard;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.why.WatchResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.TypeConversionException;

/**
 * The results of shards: whether they belong together, and their sum. Heads are read first, then results a few at a
 * time, so that memory does not grow with their number.
 */
public final class ShardFiles {
    private static final int MOST_NAMED = 10;

    private record Saved(Path file, RunHead head) {
        String id() {
            Object id = head.details().get(ShardPart.PLAN_ID);
            return id == null || !head.details().containsKey(ShardPart.SHARD) ? "" : id.toString();
        }

        Shard shard() {
            return head.plan().shard();
        }
    }

    private final List<Saved> parts;
    private final List<Integer> missing = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    private ShardFiles(List<Saved> parts) {
        this.parts = parts;
    }

    /**
     * Reads the heads and looks for contradictions.
     *
     * @param files at least one
     * @param partial whether shards may be missing
     * @param maxSkew accepted difference between the starts
     */
    public static ShardFiles of(List<Path> files, boolean partial, Duration maxSkew) {
        List<Saved> parts = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Path file : files) {
            try {
                parts.add(new Saved(file, SavedFile.head(file)));
            } catch (TypeConversionException otherFormat) {
                problems.add(Messages.of(otherFormat));
            } catch (IOException unreadable) {
                problems.add(Messages.refused(file, unreadable));
            }
        }
        parts.sort(Comparator.comparingInt(part -> part.shard().index()));
        ShardFiles shards = new ShardFiles(parts);
        shards.problems.addAll(problems);
        if (!parts.isEmpty()) {
            shards.check(partial, maxSkew);
        }
        return shards;
    }

    /** Why they cannot be merged, one line each; empty if they can. */
    public List<String> problems() {
        return problems;
    }

    private void check(boolean partial, Duration maxSkew) {
        List<Saved> shards = ofOneDivision(ofOnePlan());
        duplicates(shards);
        missing(shards, partial);
        skew(shards, maxSkew);
    }

    /** The results of the most frequent plan; the others are named. */
    private List<Saved> ofOnePlan() {
        for (Saved part : parts) {
            if (part.id().isEmpty()) {
                problems.add(part.file() + " is not a shard of a plan: it was run without --plan and --shard"
                        + (part.head().details().containsKey("shards") ? ", or is the sum of shards already" : ""));
            }
        }
        List<Saved> shards = parts.stream().filter(part -> !part.id().isEmpty()).toList();
        String most = mostFrequent(shards, Saved::id).orElse("");
        shards.stream()
                .filter(part -> !part.id().equals(most))
                .forEach(part -> problems.add(
                        part.file() + " belongs to another plan: " + part.id() + ", but the others belong to " + most));
        return shards.stream().filter(part -> part.id().equals(most)).toList();
    }

    /** With --without-missing, the load of one plan is divided among the shards that are there. */
    private List<Saved> ofOneDivision(List<Saved> shards) {
        int most = mostFrequent(shards, part -> part.shard().count()).orElse(1);
        shards.stream()
                .filter(part -> part.shard().count() != most)
                .forEach(part -> problems.add(part.file() + " is shard " + part.shard()
                        + ", but the others are shards of " + most + ": the load was divided in two ways"));
        return shards.stream().filter(part -> part.shard().count() == most).toList();
    }

    private static <T extends Comparable<T>> Optional<T> mostFrequent(List<Saved> parts, Function<Saved, T> of) {
        return parts.stream()
                .collect(Collectors.groupingBy(of, TreeMap::new, Collectors.counting()))
                .entrySet()
                .stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey);
    }

    private void duplicates(List<Saved> shards) {
        shards.stream()
                .collect(Collectors.groupingBy(part -> part.shard().index(), TreeMap::new, Collectors.toList()))
                .forEach((index, same) -> {
                    if (same.size() > 1) {
                        problems.add("shard " + same.get(0).shard() + " is given " + same.size() + " times: "
                                + same.stream()
                                        .map(part -> part.file().toString())
                                        .collect(Collectors.joining(", ")));
                    }
                });
    }

    private void missing(List<Saved> shards, boolean partial) {
        if (shards.isEmpty()) {
            return;
        }
        int count = shards.get(0).shard().count();
        Set<Integer> here = shards.stream().map(part -> part.shard().index()).collect(Collectors.toSet());
        IntStream.range(0, count).filter(shard -> !here.contains(shard)).forEach(missing::add);
        if (!partial) {
            missing.stream()
                    .limit(MOST_NAMED)
                    .forEach(shard ->
                            problems.add("shard " + shard + "/" + count + " is missing (--partial merges the rest)"));
            if (missing.size() > MOST_NAMED) {
                problems.add("and " + (missing.size() - MOST_NAMED) + " more are missing");
            }
        }
    }

    private void skew(List<Saved> shards, Duration maxSkew) {
        Optional<Saved> earliest =
                shards.stream().min(Comparator.comparing(part -> part.head().started()));
        if (earliest.isEmpty()) {
            return;
        }
        Saved first = earliest.get();
        for (Saved part : shards) {
            Duration late = Duration.between(first.head().started(), part.head().started());
            if (late.compareTo(maxSkew) > 0) {
                problems.add("shard " + part.shard() + " started "
                        + DurationText.rounded(late.toNanos()) + " after shard " + first.shard() + " (" + part.file()
                        + "): more than --max-skew " + DurationText.format(maxSkew.toNanos()));
            }
        }
    }

    /** The sum of all shards; {@code isStopped} if the user interrupted the command that ran them. */
    public RunReport merged(boolean isStopped) {
        Map<Integer, List<WatchResult>> watched = new ConcurrentSkipListMap<>();
        MergedRun sum = ForkJoinPool.commonPool().invoke(new Sum(parts, watched));
        missing.forEach(sum::missing);
        if (isStopped) {
            sum.stopped();
        }
        RunReport report = report(sum.result());
        return watched.isEmpty() ? report : report.with(watched(watched.values(), skewNanos()));
    }

    /** Combines watched events of several shards on one time axis; each shard reports times from its own start. */
    private static List<WatchResult> watched(Collection<List<WatchResult>> ofShards, long skewNanos) {
        Map<String, WatchResult> bySource = new LinkedHashMap<>();
        ofShards.forEach(all -> all.forEach(one -> bySource.putIfAbsent(one.source(), one.within(skewNanos))));
        return List.copyOf(bySource.values());
    }

    private long skewNanos() {
        LongSummaryStatistics starts = parts.stream()
                .map(part -> part.head().started())
                .mapToLong(at -> TimeUnit.SECONDS.toNanos(at.getEpochSecond()) + at.getNano())
                .summaryStatistics();
        return starts.getMax() - starts.getMin();
    }

    /**
     * Adds the sums of both halves on all cores. Most additions involve few shards and are cheap, since a sum has more
     * distinct durations than a shard. A core holds one sum per level, not the results.
     */
    private static final class Sum extends RecursiveTask<MergedRun> {
        private static final long serialVersionUID = 1;

        private final transient List<Saved> parts;
        private final transient Map<Integer, List<WatchResult>> watched;

        Sum(List<Saved> parts, Map<Integer, List<WatchResult>> watched) {
            this.parts = parts;
            this.watched = watched;
        }

        @Override
        protected MergedRun compute() {
            if (parts.size() == 1) {
                return single(parts.get(0), watched);
            }
            int half = parts.size() / 2;
            Sum second = new Sum(parts.subList(half, parts.size()), watched);
            second.fork();
            MergedRun sum = new Sum(parts.subList(0, half), watched).compute();
            sum.add(second.join());
            return sum;
        }
    }

    private static MergedRun single(Saved part, Map<Integer, List<WatchResult>> watched) {
        RunReport report = SavedFile.read(part.file());
        if (report.why().isWatched()) {
            watched.put(part.shard().index(), report.why().watched());
        }
        List<String> doubts =
                report.verdict().doubts().stream().map(Caveat::text).toList();
        MergedRun one = new MergedRun();
        one.add(report.result(), report.machine().cores(), doubts);
        return one;
    }

    private RunReport report(RunResult result) {
        RunHead head = parts.get(0).head();
        Map<String, Object> details = new LinkedHashMap<>(head.details());
        details.remove(ShardPart.SHARD);
        details.put("shards", result.shards().size());
        return new RunReport(
                Analysis.of(result, new Criteria(head.objectives(), head.rigour(), false)),
                command(head.command()),
                head.seed(),
                head.version(),
                head.machine(),
                details,
                Optional.empty(),
                head.measurement(),
                Diagnosis.NONE);
    }

    /** The command line of an equivalent single process. */
    private static List<String> command(List<String> ofShard) {
        List<String> words = new ArrayList<>();
        for (String word : ofShard) {
            boolean isOfShard = word.startsWith("--shard=")
                    || word.startsWith("--plan-id=")
                    || word.startsWith("--start-at=")
                    || word.startsWith("--output=")
                    || word.equals("--quiet");
            if (!isOfShard) {
                words.add(word);
            }
        }
        return words;
    }
}
