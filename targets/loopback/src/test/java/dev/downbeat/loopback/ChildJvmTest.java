package dev.downbeat.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ChildJvmTest {
    private static final List<String> OURS = List.of("-Xmx1g", "-XX:+UseSerialGC", "-Xshare:auto");

    private static List<String> flags(List<String> theirs, Map<String, String> environment) {
        List<String> command = ChildJvm.command(OURS, theirs, environment);
        return command.subList(1, command.size());
    }

    @Test
    void without_flags_of_the_user_ours_are_used() {
        assertThat(flags(List.of(), Map.of())).isEqualTo(OURS);
        assertThat(flags(List.of(), Map.of("JAVA_TOOL_OPTIONS", " -Da=b  -XX:-UseSerialGC ")))
                .isEqualTo(OURS);
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource({
        "JAVA_TOOL_OPTIONS, -Da=b -XX:+UseG1GC, -Xmx1g -Xshare:auto",
        "JDK_JAVA_OPTIONS, -XX:+UseZGC, -Xmx1g -Xshare:auto",
        "JDK_JAVA_OPTIONS, \"-XX:+UseZGC\", -Xmx1g -Xshare:auto",
        "_JAVA_OPTIONS, -XX:+UseZGC, -Xmx1g -Xshare:auto",
        "JAVA_TOOL_OPTIONS, -Xms2g, -XX:+UseSerialGC -Xshare:auto",
        "JDK_JAVA_OPTIONS, -XX:InitialHeapSize=2g, -XX:+UseSerialGC -Xshare:auto",
        "JAVA_TOOL_OPTIONS, -Xmx512m -XX:+UseParallelGC, -Xshare:auto",
    })
    void a_collector_or_heap_of_the_user_replaces_ours(String variable, String value, String rest) {
        assertThat(flags(List.of(), Map.of(variable, value))).containsExactly(rest.split(" "));
    }

    @Test
    void flags_of_the_user_for_this_jvm_alone_follow() {
        assertThat(flags(List.of("-XX:+UseZGC"), Map.of())).containsExactly("-Xmx1g", "-Xshare:auto", "-XX:+UseZGC");
    }
}
