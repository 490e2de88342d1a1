package dev.downbeat.stats;

import dev.downbeat.stats.level.LevelChanges.LevelRun;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Fifty builds with one run each, whose p99 differs by 5 % from run to run and is known to 1 to 4 % within each. */
public record SimulatedHistory(Kind kind, List<List<LevelRun>> builds) {
    static final int BUILDS = 50;
    private static final double BETWEEN = 0.05;

    /** What happens in the course of one, and what must be found of it: the build, and how far off it may be told. */
    public enum Kind {
        NOTHING("nothing", -1),
        OUTLIERS("nothing but three runs 50 % slower", -1),
        HEAVY_TAILS("nothing, noise of t with 3 degrees", -1),
        STEP_10("step of 10 % in the middle", 25),
        STEP_20("step of 20 % in the middle", 25),
        LATE_STEP("step of 20 %, 5 builds ago", 45),
        DRIFT("drift of 20 % in all", 0);

        public final String words;
        public final int at;

        Kind(String words, int at) {
            this.words = words;
            this.at = at;
        }

        private double shift(int build) {
            return switch (this) {
                case NOTHING, HEAVY_TAILS -> 0;
                case OUTLIERS -> build % 17 == 9 ? Math.log(1.5) : 0;
                case STEP_10 -> build >= at ? Math.log(1.1) : 0;
                case STEP_20, LATE_STEP -> build >= at ? Math.log(1.2) : 0;
                case DRIFT -> Math.log(1.2) * build / (BUILDS - 1);
            };
        }

        public boolean isFound(int place) {
            return at == 0 || (at > 0 && Math.abs(place - at) <= 3);
        }
    }

    public static SimulatedHistory of(Kind kind, long seed) {
        SplittableRandom random = new SplittableRandom(seed * 31 + kind.name().hashCode());
        List<List<LevelRun>> builds = new ArrayList<>();
        for (int build = 0; build < BUILDS; build++) {
            double within = random.nextDouble(0.01, 0.04);
            double between = kind == Kind.HEAVY_TAILS
                    ? normal(random) / Math.sqrt((square(random) + square(random) + square(random)) / 3) / Math.sqrt(3)
                    : normal(random);
            double log = Math.log(50e6) + kind.shift(build) + BETWEEN * between + within * normal(random);
            builds.add(List.of(new LevelRun(log, within)));
        }
        return new SimulatedHistory(kind, builds);
    }

    private static double square(SplittableRandom random) {
        double normal = normal(random);
        return normal * normal;
    }

    private static double normal(SplittableRandom random) {
        return Normal.quantile(random.nextDouble(1e-12, 1 - 1e-12));
    }

    /** As the script beside Otava reads it. */
    public String line(long seed) {
        StringBuilder line = new StringBuilder(kind + "," + kind.words.replace(",", ";") + "," + kind.at + "," + seed);
        builds.forEach(runs -> line.append(',').append(Math.exp(runs.get(0).log())));
        return line.toString();
    }
}
