package dev.downbeat.answers;

import dev.downbeat.capacity.CapacityAnswers;
import dev.downbeat.why.WhyAnswers;
import java.util.stream.Stream;

/** All answers that are tried. */
final class Answers {
    private Answers() {}

    static Stream<Answer> all() {
        return Stream.of(LawAnswers.all(), WhyAnswers.all(), CapacityAnswers.all())
                .flatMap(all -> all);
    }
}
