package dev.downbeat.http.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.OwnLimit;
import dev.downbeat.http.options.AddressOptions;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AddressesTest {
    /** The thread of a resolver took 0.4 ms to say 127.0.0.1, which a report called the cost of a name lookup. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "http://127.0.0.1:1/, false",
        "http://[::1]:1/, false",
        "unix:/tmp/s:/, false",
        "http://9/, true",
        "http://0.0.0.0/, false",
        "http://a/, true",
        "http://1a.example/, true",
        "http://localhost/, true",
        "http://256.0.0.1/, true"
    })
    void only_a_name_needs_a_look_up(String target, boolean needed) {
        AddressOptions options = HttpOptions.of(draft -> {}).addresses();
        Addresses addresses = new Addresses(HttpEndpoint.parse(target), options, NanoClock.system());
        assertThat(addresses.needLookup()).isEqualTo(needed);
    }

    @Test
    void a_name_is_looked_up_again_when_its_addresses_are_too_old_and_a_number_never() {
        long[] now = {0};
        AddressOptions options = HttpOptions.of(draft -> {
                    draft.addresses.lookup = AddressOptions.Lookup.PER_CONNECTION;
                    draft.addresses.lookupTtl = Optional.of(Duration.ofNanos(100));
                })
                .addresses();
        for (String target : List.of("http://localhost/", "http://127.0.0.1/", "http://[::1]/", "unix:/tmp/s:/")) {
            now[0] = 1_000;
            Addresses addresses = new Addresses(HttpEndpoint.parse(target), options, () -> now[0]);
            addresses.found(List.of(address(1)));
            now[0] += 99;
            assertThat(addresses.needLookup()).as(target).isFalse();
            now[0]++;
            assertThat(addresses.needLookup()).as(target).isEqualTo(target.contains("localhost"));
        }
    }

    @Test
    void a_local_address_needs_a_remote_one_of_its_family() throws IOException {
        for (String[] pair : new String[][] {{"127.0.0.1", "[::1]", "4"}, {"::1", "127.0.0.1", "6"}}) {
            InetAddress local = InetAddress.getByName(pair[0]);
            AddressOptions options = HttpOptions.of(draft -> draft.addresses.localAddress = Optional.of(local))
                    .addresses();
            Addresses other = new Addresses(HttpEndpoint.parse("http://" + pair[1] + "/"), options, NanoClock.system());
            assertThatThrownBy(other::lookup)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("has no IPv" + pair[2] + " address, but the local address ");
            String same = pair[0].contains(":") ? "[" + pair[0] + "]" : pair[0];
            Addresses alike = new Addresses(HttpEndpoint.parse("http://" + same + "/"), options, NanoClock.system());
            assertThat(alike.lookup()).hasSize(1);
        }
    }

    /** The words of Linux, musl, macOS and Windows, and Java's own for a failure that it remembers. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            h: Name or service not known                        | unknown host 'h'
            h: Name does not resolve                            | unknown host 'h'
            h: nodename nor servname provided, or not known     | unknown host 'h'
            No such host is known (h)                           | unknown host 'h'
            h                                                   | unknown host 'h'
            h: Temporary failure in name resolution             | name lookup failed: h: Temporary failure in name resolution
            h: System error                                     | name lookup failed: h: System error
            """)
    void a_name_server_that_fails_is_no_wrong_name(String message, String words) {
        IOException failure = Addresses.failure("h", new UnknownHostException(message), () -> () -> {});
        assertThat(failure).hasMessage(words);
        assertThat(new HttpFailures("").of(failure)).isEqualTo(Outcome.failed(words.toLowerCase(Locale.ROOT)));
    }

    @Test
    void a_lookup_without_a_free_descriptor_met_a_limit_of_this_process() {
        IOException failure =
                Addresses.failure("h", new UnknownHostException("h: Too many open files"), () -> () -> {});
        assertThat(new HttpFailures("").of(failure)).isEqualTo(OwnLimit.OPEN_FILES.outcome());
    }

    /** Of what Java 17 says, the next socket must tell the reason. */
    @Test
    void a_lookup_whose_reason_java_withholds_met_the_limit_that_a_socket_meets() {
        UnknownHostException thrown = new UnknownHostException("h: System error");
        IOException limited = Addresses.failure("h", thrown, () -> {
            throw new SocketException("Too many open files");
        });
        assertThat(new HttpFailures("").of(limited)).isEqualTo(OwnLimit.OPEN_FILES.outcome());
        IOException other = Addresses.failure("h", thrown, () -> {
            throw new SocketException("Permission denied");
        });
        assertThat(new HttpFailures("").of(other)).isEqualTo(Outcome.failed("name lookup failed: h: system error"));
    }

    @Test
    void a_name_is_looked_up_once_unless_asked_otherwise() {
        Addresses addresses = new Addresses(
                HttpEndpoint.parse("http://localhost/"),
                HttpOptions.of(draft -> {}).addresses(),
                NanoClock.system());
        addresses.found(List.of(address(1)));
        assertThat(addresses.needLookup()).isFalse();
    }

    @ParameterizedTest(name = "every address: {0}")
    @CsvSource({"true, 1 2 3 1", "false, 1 1 1 1"})
    void connections_go_to_every_address_in_turn_or_to_the_first(boolean every, String expected) {
        Addresses addresses = new Addresses(
                HttpEndpoint.parse("http://localhost/"),
                HttpOptions.of(draft -> draft.addresses.everyAddress = every).addresses(),
                NanoClock.system());
        List<SocketAddress> found = List.of(address(1), address(2), address(3));
        addresses.found(found);
        assertThat(addresses.count()).isEqualTo(3);
        for (String port : expected.split(" ")) {
            assertThat(addresses.next()).isEqualTo(address(Integer.parseInt(port)));
        }
        addresses.skip();
        assertThat(addresses.next()).isEqualTo(address(every ? 3 : 2));
        addresses.found(found.subList(0, 1));
        assertThat(addresses.next()).isEqualTo(address(1));
    }

    private static SocketAddress address(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
}
