package dev.downbeat.loopback.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.loopback.options.LoopbackOptions.Http2Conduct;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LoopbackOptionsTest {
    @Test
    void defaults_need_no_words() {
        assertThat(LoopbackOptions.defaults().toArgs()).isEmpty();
        assertThat(LoopbackOptions.parse(List.of())).isEqualTo(LoopbackOptions.defaults());
    }

    @Test
    void every_option_has_its_word() {
        List<String> words = List.of(
                "--port",
                "8080",
                "--tls",
                "--certificate",
                "ec",
                "--delay",
                "exp:2ms",
                "--concurrency",
                "4",
                "--stall",
                "1s@5s",
                "--stall",
                "every 10s for 200ms",
                "--close-after",
                "80",
                "--close-silently",
                "--body-size",
                "100",
                "--status",
                "503",
                "--misbehave",
                "slow-body",
                "--body-time",
                "2s",
                "--seed",
                "7",
                "--accept-queue",
                "16",
                "--max-streams",
                "5",
                "--window",
                "70000",
                "--settings-delay",
                "1ms");
        LoopbackOptions options = LoopbackOptions.builder()
                .port(8080)
                .tls(true)
                .certificateKey(CertificateKey.EC)
                .delay(new ServiceLaw.Exponential(2_000_000))
                .concurrency(4)
                .stalls(List.of(
                        new Stall(5_000_000_000L, 1_000_000_000L, 0),
                        new Stall(10_000_000_000L, 200_000_000L, 10_000_000_000L)))
                .closeAfter(80)
                .closeNotice(false)
                .bodyBytes(100)
                .status(503)
                .misbehaviour(Misbehaviour.SLOW_BODY)
                .bodyTimeNanos(2_000_000_000L)
                .seed(7)
                .acceptQueue(16)
                .http2(new Http2Conduct(5, 70_000, 1_000_000))
                .build();

        assertThat(LoopbackOptions.parse(words)).isEqualTo(options);
        assertThat(options.toArgs()).isEqualTo(words);
        LoopbackOptions unix =
                LoopbackOptions.builder().unixSocket(Path.of("a b.sock")).build();
        assertThat(unix.toArgs()).containsExactly("--unix-socket", "a b.sock");
        assertThat(LoopbackOptions.parse(unix.toArgs())).isEqualTo(unix);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("dev.downbeat.loopback.Seeds#fifty")
    void options_survive_being_written_and_read(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Misbehaviour[] all = Misbehaviour.values();
        long period = random.nextLong(1_000, 1_000_000_000);
        LoopbackOptions options = LoopbackOptions.builder()
                .port(random.nextInt(65_536))
                .tls(random.nextBoolean())
                .delay(new ServiceLaw.LogNormal(random.nextLong(1, 1_000_000_000), random.nextDouble()))
                .concurrency(random.nextInt(100_000))
                .stalls(List.of(new Stall(period, random.nextLong(1, 1_000), period)))
                .closeAfter(random.nextInt(1, Integer.MAX_VALUE))
                .closeNotice(random.nextBoolean())
                .bodyBytes(random.nextInt(1_000_000))
                .status(random.nextInt(400, 600))
                .misbehaviour(all[random.nextInt(all.length)])
                .bodyTimeNanos(random.nextLong(1, 1_000_000_000))
                .seed(random.nextLong())
                .acceptQueue(random.nextInt(1, 65_536))
                .build();

        assertThat(LoopbackOptions.parse(options.toArgs())).isEqualTo(options);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--port 70000 | port must be from 0 to 65535, but was 70000",
                "--port x | --port must be a whole number, but was \"x\"",
                "--port 3000000000 | --port must be from -2147483648 to 2147483647, but was 3000000000",
                "--port | --port must be followed by its value, but was the last word",
                "--status 100 | status must be from 200 to 599, but was 100",
                "--body-size -1 | body-size must be from 0 to 104857600, but was -1",
                "--concurrency -1 | concurrency must be from 0 to 100000, but was -1",
                "--accept-queue 0 | accept-queue must be from 1 to 65535, but was 0",
                "--body-time 0ms | body-time must be from 1ns to 24h, but was 0s",
                "--certificate dsa | certificate must be rsa or ec, but was \"dsa\"",
                "--certificate ec | a certificate key is used with TLS only: add tls or leave out certificate",
                "--unix-socket s --port 80 | a Unix socket has no port: leave out unix-socket or port",
                "--unix-socket s --tls | TLS is served over TCP only: leave out unix-socket or tls",
                "--unix-socket s --misbehave reset | a Unix socket cannot be reset: leave out unix-socket or use close-without-answer",
                "--close-silently | close-silently says how to close but not when: add close-after or leave out close-silently",
                "--status 204 --misbehave chunked | status 204 has no body, so it cannot be sent as chunked",
                "--sparkle | unknown option \"--sparkle\"",
            })
    void impossible_values_are_refused_in_one_line(String line, String message) {
        assertThatThrownBy(() -> LoopbackOptions.parse(List.of(line.split(" "))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void an_unknown_misbehaviour_is_answered_with_all_that_are_known() {
        assertThatThrownBy(() -> Misbehaviour.parse("sulk"))
                .hasMessageStartingWith("misbehaviour must be one of none, reset, close-without-answer, garbage, ")
                .hasMessageContaining(", cut-frames, data-on-stream-0, ")
                .hasMessageEndingWith(", interim-flood, but was \"sulk\"");
    }
}
