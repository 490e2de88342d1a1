package dev.downbeat.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.why.WatchResult;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WatchSettingsTest {
    @Test
    void a_watcher_without_events_is_named_with_its_reason() {
        assertThat(WatchSettings.words(new WatchResult("jvm:1", List.of(), 0, 0, 0, List.of())))
                .isEqualTo("jvm:1");
        assertThat(WatchSettings.words(WatchResult.nothing("jvm:1", "there is no process 1")))
                .isEqualTo("jvm:1: there is no process 1");
    }
}
