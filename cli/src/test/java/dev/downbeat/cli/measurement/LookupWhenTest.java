package dev.downbeat.cli.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.cli.Shell;
import java.security.Security;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LookupWhenTest {
    private static final String FOUND = "networkaddress.cache.ttl";
    private static final String FAILED = "networkaddress.cache.negative.ttl";

    private final String negative = Security.getProperty(FAILED);

    @BeforeEach
    @AfterEach
    void restore() {
        Security.setProperty(FOUND, "");
        Security.setProperty(FAILED, negative);
    }

    /** A failed lookup would else fail every connection of the next 10 s, without asking again. */
    @ParameterizedTest
    @CsvSource({"per-connection, 0", "30s, 30"})
    void java_keeps_a_lookup_as_long_as_it_may_and_a_failed_one_not_at_all(String option, String seconds) {
        ConnectionOptions.LookupWhen.parse(option);
        assertThat(Security.getProperty(FOUND)).isEqualTo(seconds);
        assertThat(Security.getProperty(FAILED)).isEqualTo("0");
    }

    @Test
    void of_several_variants_the_strictest_counts() {
        List.of("once", "30s", "per-connection", "20s").forEach(ConnectionOptions.LookupWhen::parse);
        assertThat(Security.getProperty(FOUND)).isEqualTo("0");
    }

    /** The first lookup fixes the limits for the process, and the check of an output in S3 is one. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "run http://localhost:1/ --lookup per-connection",
                "run http://localhost:1/ --vary lookup=once,per-connection",
                "sweep http://localhost:1/ --slo p99<1s --lookup per-connection",
                "position http://localhost:1/ --lookup per-connection",
                "position http://localhost:1/ --vary lookup=once,per-connection",
                "compare --live http://localhost:1/ http://localhost:1/ --lookup per-connection"
            })
    void the_limits_are_set_before_the_outputs_are_checked(String line) {
        Shell refused = Shell.call((line + " -o no-such-folder/result.html").split(" "));
        assertThat(refused.exitCode()).as(refused.err()).isEqualTo(2);
        assertThat(refused.err()).contains("no-such-folder/result.html cannot be written");
        assertThat(Security.getProperty(FOUND)).isEqualTo("0");
    }
}
