package dev.downbeat.http.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.http.options.AddressOptions.HostPort;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.http.options.HttpOptions.Proxy;
import dev.downbeat.http.options.HttpOptions.Streams;
import dev.downbeat.http.wait.Pacing;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HttpOptionsTest {
    private static void isWithin(int least, int most, IntConsumer setting, String refusal) {
        assertThatCode(() -> setting.accept(least)).doesNotThrowAnyException();
        assertThatCode(() -> setting.accept(most)).doesNotThrowAnyException();
        assertThatThrownBy(() -> setting.accept(least - 1)).hasMessage(refusal + (least - 1));
        if (most < Integer.MAX_VALUE) {
            assertThatThrownBy(() -> setting.accept(most + 1)).hasMessage(refusal + (most + 1));
        }
    }

    @Test
    void numbers_are_within_their_bounds() {
        int all = Integer.MAX_VALUE;
        isWithin(
                1,
                65_535,
                n -> HttpOptions.of(draft -> draft.connections = n),
                "connections must be from 1 to 65535, but was ");
        isWithin(
                1,
                all,
                n -> HttpOptions.of(draft -> draft.maxRequests = n),
                "maxRequests must be at least 1, but was ");
        isWithin(
                1,
                all,
                n -> HttpOptions.of(draft -> draft.replaceAfter = n),
                "replaceAfter must be at least 1, but was ");
        isWithin(1, 10_000, n -> new Streams(n, 65_535), "streams must be from 1 to 10000, but was ");
        isWithin(
                65_535,
                1 << 30,
                n -> new Streams(1, n),
                "a receive window must be from 65535 to 1073741824 bytes, but was ");
        isWithin(1, 65_535, n -> new HostPort("h", n), "port must be from 1 to 65535, but was ");
        isWithin(1, 65_535, n -> new Proxy("h", n, Optional.empty()), "port must be from 1 to 65535, but was ");
    }

    private static HttpOptions probing(Duration every) {
        return HttpOptions.of(draft -> draft.tcpProbes = Optional.of(every));
    }

    @Test
    void times_are_above_zero() {
        HttpOptions least = HttpOptions.of(draft -> {
            draft.connectTimeout = Duration.ofNanos(1);
            draft.maxIdle = Duration.ofNanos(2);
            draft.tcpProbes = Optional.of(Duration.ofSeconds(1));
        });
        assertThat(least.connectTimeoutNanos()).isEqualTo(1);
        assertThat(least.maxIdleNanos()).isEqualTo(2);
        assertThat(least.tcpProbes()).hasValue(Duration.ofSeconds(1));
        assertThat(least.tcpKeepAlive()).isTrue();
        assertThat(probing(Duration.ofSeconds(32_767)).tcpProbes()).hasValue(Duration.ofSeconds(32_767));
        for (Duration none : new Duration[] {Duration.ZERO, Duration.ofNanos(-1)}) {
            assertThatThrownBy(() -> HttpOptions.of(draft -> draft.connectTimeout = none))
                    .hasMessageStartingWith("connectTimeout must be above zero");
            assertThatThrownBy(() -> HttpOptions.of(draft -> draft.maxIdle = none))
                    .hasMessageStartingWith("maxIdle must be above zero");
        }
        assertThatThrownBy(() -> probing(Duration.ofSeconds(32_768))).hasMessageContaining("but was PT9H6M8S");
    }

    @Test
    void defaults_are_those_of_the_documentation() {
        HttpOptions usual = HttpOptions.of(draft -> {});
        assertThat(usual.pacing()).isEqualTo(Pacing.HYBRID);
        assertThat(usual.connections()).isEqualTo(64);
        assertThat(usual.preconnect() && usual.keepAlive() && usual.sendsAgain() && usual.tcpNoDelay())
                .isTrue();
        assertThat(usual.cold() || usual.tcpKeepAlive() || usual.addresses().everyAddress())
                .isFalse();
        assertThat(usual.connectTimeoutNanos()).isEqualTo(10_000_000_000L);
        assertThat(usual.tcpProbes()).isEmpty();
        assertThat(usual.tls().verify() && usual.tls().resume()).isTrue();
        assertThat(usual.http()).isEqualTo(HttpVersion.HTTP_1_1);
        assertThat(usual.streams()).isEqualTo(new Streams(100, 16 << 20));
    }

    @Test
    void each_field_sets_its_own() throws UnknownHostException {
        InetAddress here = InetAddress.getByName("127.0.0.2");
        HttpOptions options = HttpOptions.of(draft -> {
            draft.pacing = Pacing.SPIN;
            draft.preconnect = false;
            draft.sendsAgain = false;
            draft.maxRequests = 8;
            draft.replaceAfter = 9;
            draft.tcpNoDelay = false;
            draft.tcpKeepAlive = true;
            draft.addresses.localAddress = Optional.of(here);
            draft.addresses.everyAddress = true;
            draft.addresses.lookup = AddressOptions.Lookup.PER_CONNECTION;
            draft.addresses.lookupTtl = Optional.of(Duration.ofNanos(3));
            draft.tls.verify = false;
            draft.tls.protocols = List.of("TLSv1.2");
            draft.tls.serverName = Optional.of("h");
            draft.tls.resume = false;
        });
        assertThat(options.pacing()).isEqualTo(Pacing.SPIN);
        assertThat(options.preconnect() || options.sendsAgain() || options.tcpNoDelay())
                .isFalse();
        assertThat(options.tcpKeepAlive() && options.keepAlive()).isTrue();
        assertThat(options.maxRequests()).isEqualTo(8);
        assertThat(options.replaceAfter()).isEqualTo(9);
        assertThat(options.addresses())
                .isEqualTo(new AddressOptions(
                        Optional.of(here), AddressOptions.Lookup.PER_CONNECTION, 3, true, Optional.empty()));
        assertThat(options.tls().verify() || options.tls().resume()).isFalse();
        assertThat(options.tls().protocols()).containsExactly("TLSv1.2");
        assertThat(options.tls().serverName()).hasValue("h");
    }

    @Test
    void a_server_chooses_only_what_it_is_offered() {
        assertThat(HttpVersion.AUTO.offered()).containsExactly("h2", "http/1.1");
        assertThat(HttpVersion.HTTP_2.offered()).containsExactly("h2");
        assertThat(HttpVersion.HTTP_1_1.offered()).isEmpty();
        for (HttpVersion version : HttpVersion.values()) {
            assertThat(HttpVersion.of(version.word())).hasValue(version);
        }
        assertThat(HttpVersion.of("3")).isEmpty();
        assertThatThrownBy(() -> HttpOptions.of(draft -> {
                    draft.http = HttpVersion.AUTO;
                    draft.cold = true;
                }))
                .hasMessageContaining("choose --http 1.1 or --http 2");
        assertThat(HttpOptions.of(draft -> {
                            draft.http = HttpVersion.HTTP_2;
                            draft.cold = true;
                        })
                        .cold())
                .isTrue();
    }

    @Test
    void a_proxy_is_connected_to_instead_of_the_service() {
        HttpOptions through = HttpOptions.of(draft -> draft.proxy = Optional.of(Proxy.parse("[::1]:3128")));
        assertThat(through.addresses().connectTo()).hasValue(new HostPort("::1", 3128));
        assertThat(new HostPort("::1", 3128)).hasToString("[::1]:3128");
        assertThat(new HostPort("h", 1)).hasToString("h:1");
        assertThatThrownBy(() -> Proxy.parse("ftp://h:1")).hasMessageContaining("but was 'ftp://h:1'");
        assertThat(Proxy.parse("HTTP://h:1/").authorizationLine()).isEmpty();
    }
}
