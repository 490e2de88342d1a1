package dev.downbeat.load;

import dev.downbeat.run.Script;
import dev.downbeat.run.ThinkTime;
import dev.downbeat.run.Workload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The shapes of a {@link Load}. */
final class Shapes {
    private Shapes() {}

    /** An open loop. */
    record Open(Arrivals arrivals) implements LoadSettings.Shape {
        @Override
        public Workload workload(long seed, Optional<Script> script) {
            return new Workload.Open(arrivals.process(seed));
        }

        @Override
        public List<String> words(Duration length) {
            return arrivals.words(length);
        }

        @Override
        public boolean isRandom() {
            return arrivals.isRandom();
        }
    }

    /** Sessions that start on a schedule. */
    record Sessions(Arrivals begins) implements LoadSettings.Shape {
        @Override
        public Workload workload(long seed, Optional<Script> script) {
            ThinkTime think = script.orElseThrow(() -> new IllegalArgumentException(
                            "sessions need requests that each sends, such as Http.file(path)"))
                    .think(ThinkTime.none());
            return new Workload.PartlyOpen(begins.process(seed), think.steps(), think);
        }

        /** The command line supports sessions at a constant rate only. */
        @Override
        public List<String> words(Duration length) {
            List<String> words = new ArrayList<>(begins.words(length));
            if (words.isEmpty() || !words.get(0).startsWith("--rate=")) {
                return List.of();
            }
            words.set(0, words.get(0).replace("--rate=", "--sessions="));
            return words;
        }

        @Override
        public boolean isRandom() {
            return begins.isRandom();
        }
    }

    /** A closed loop of users, each waiting for its response. */
    record Closed(int users, Duration think) implements LoadSettings.Shape {
        @Override
        public Workload workload(long seed, Optional<Script> script) {
            ThinkTime usual = new ThinkTime.Constant(think.toNanos());
            return new Workload.Closed(
                    users, script.map(one -> one.think(usual)).orElse(usual));
        }

        @Override
        public List<String> words(Duration length) {
            List<String> words = new ArrayList<>(List.of("--closed=" + users));
            if (!think.isZero()) {
                words.add("--think=" + LoadSettings.text(think));
            }
            words.add("--duration=" + LoadSettings.text(length));
            return words;
        }

        @Override
        public boolean isRandom() {
            return false;
        }
    }
}
