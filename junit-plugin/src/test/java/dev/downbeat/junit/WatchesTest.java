package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.why.Watched;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WatchesTest {
    @Test
    void who_saw_nothing_is_named_with_the_reason_if_there_is_one() {
        assertThat(Watches.words(new Watched("jvm:1", List.of(), 0, 0, 0, List.of())))
                .isEqualTo("jvm:1");
        assertThat(Watches.words(Watched.nothing("jvm:1", "there is no process 1")))
                .isEqualTo("jvm:1: there is no process 1");
    }
}
