package dev.downbeat.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.http.options.AddressOptions;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.time.NanoClock;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AddressesTest {
    /** The thread of a resolver took 0.4 ms to say 127.0.0.1, which a report called the cost of a name look-up. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "http://127.0.0.1:1/, false",
        "http://[::1]:1/, false",
        "unix:/tmp/s:/, false",
        "http://localhost/, true",
        "http://256.0.0.1/, true"
    })
    void only_a_name_needs_a_look_up(String target, boolean needed) {
        AddressOptions options = AddressOptions.builder().build();
        Addresses addresses = new Addresses(HttpEndpoint.parse(target), options, NanoClock.system());
        assertThat(addresses.needLookup()).isEqualTo(needed);
    }
}
