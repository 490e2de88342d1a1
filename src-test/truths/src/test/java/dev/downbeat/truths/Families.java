package dev.downbeat.truths;

import java.util.List;
import java.util.stream.Stream;

/** All families. */
final class Families {
    private Families() {}

    static List<Family> all() {
        return Stream.of(
                        Stalls.families(),
                        Overloads.families(),
                        Failures.families(),
                        Courses.families(),
                        Calms.families(),
                        OwnFaults.families(),
                        Mixtures.families(),
                        Pairs.families())
                .flatMap(List::stream)
                .toList();
    }
}
