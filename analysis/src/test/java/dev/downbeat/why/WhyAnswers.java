package dev.downbeat.why;

import dev.downbeat.answers.Answer;
import dev.downbeat.event.RunEvents;
import dev.downbeat.why.SimulatedOverload.Course;
import dev.downbeat.why.SimulatedOverload.Events;
import java.util.Arrays;
import java.util.stream.Stream;

/** What `why` names where nothing but the load made the tail. */
public final class WhyAnswers {
    private WhyAnswers() {}

    /** One for each course of the load and each kind of events. */
    public static Stream<Answer> all() {
        return Arrays.stream(Course.values())
                .flatMap(course -> Arrays.stream(Events.values())
                        .map(events -> new Answer(
                                "a cause",
                                course.words + ", " + events.words,
                                2,
                                200,
                                seed -> named(seed, course, events))));
    }

    private static Answer.Outcome named(long seed, Course course, Events events) {
        SimulatedCauses.Seen seen = new SimulatedOverload(seed, course, events).seen();
        return Answer.rightIf(
                Explanations.of(seen.result(), seen.watched(), RunEvents.incidents(seen.result())).stream()
                        .allMatch(one -> one.causes().isEmpty()));
    }
}
