package dev.downbeat.cli.measurement;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.Security;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LookupWhenTest {
    private static final String FOUND = "networkaddress.cache.ttl";
    private static final String FAILED = "networkaddress.cache.negative.ttl";

    private final String negative = Security.getProperty(FAILED);

    @AfterEach
    void restore() {
        Security.setProperty(FOUND, "");
        Security.setProperty(FAILED, negative);
    }

    /** A failed lookup would else fail every connection of the next 10 s, without asking again. */
    @ParameterizedTest
    @CsvSource({"per-connection, 0", "30s, 30"})
    void java_keeps_a_lookup_as_long_as_it_may_and_a_failed_one_not_at_all(String option, String seconds) {
        Connections.LookupWhen.parse(option).limitJvmLookupCache();
        assertThat(Security.getProperty(FOUND)).isEqualTo(seconds);
        assertThat(Security.getProperty(FAILED)).isEqualTo("0");
    }
}
