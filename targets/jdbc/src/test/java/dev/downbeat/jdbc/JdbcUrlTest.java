package dev.downbeat.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is told to a driver, and what of its URL is shown. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class JdbcUrlTest {
    private static JdbcUrl url(String text) {
        return JdbcUrl.of(text, List.of());
    }

    private static JdbcOptions options(int connections, long maxRequests, int idle, Duration connectTimeout) {
        return new JdbcOptions(
                connections,
                true,
                maxRequests,
                false,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                connectTimeout,
                idle,
                false);
    }

    private static Properties properties(String text, long connectMillis) {
        return url(text).properties(options(1, 1, 0, Duration.ofMillis(connectMillis)));
    }

    /** PostgreSQL's driver counts in seconds, MariaDB's in milliseconds; to both 0 means forever. */
    @ParameterizedTest(name = "{0} ms")
    @CsvSource({"0, 1, 1", "1, 1, 1", "1000, 1, 1000", "1001, 2, 1001", "10000, 10, 10000"})
    void a_driver_waits_no_less_than_the_connect_timeout(long millis, String seconds, String exactly) {
        assertThat(properties("jdbc:postgresql://h/d", millis))
                .containsEntry("connectTimeout", seconds)
                .containsEntry("ApplicationName", "downbeat")
                .containsEntry("socketFactory", TimedSockets.class.getName());
        assertThat(properties("jdbc:mariadb://h/d", millis))
                .containsEntry("connectTimeout", exactly)
                .containsEntry("socketFactory", TimedSockets.class.getName())
                .hasSize(2);
        assertThat(properties("jdbc:h2:mem:x", millis)).isEmpty();
    }

    @Test
    void what_a_url_says_itself_holds() {
        String own = "jdbc:postgresql://h/d?CONNECTTIMEOUT=7&a=connectTimeout&socketFactory=mine";
        assertThat(properties(own, 1_000))
                .doesNotContainKeys("connectTimeout", "socketFactory")
                .containsKey("ApplicationName");
        assertThat(properties("jdbc:postgresql://h/connectTimeout=7", 1_000)).containsEntry("connectTimeout", "1");
    }

    @Test
    void who_watches_waits_two_seconds() {
        assertThat(url("jdbc:postgresql://ann:pw@h/d").watching())
                .containsEntry("connectTimeout", "2")
                .containsEntry("socketTimeout", "2")
                .containsEntry("ApplicationName", "downbeat watch")
                .containsEntry("user", "ann")
                .containsEntry("password", "pw");
        assertThat(url("jdbc:mariadb://h/d").watching())
                .containsEntry("connectTimeout", "2000")
                .containsEntry("socketTimeout", "2000");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "jdbc:demo, embedded database (H2)",
        "jdbc:h2:mem:x;MODE=MySQL, jdbc:h2:mem:x",
        "jdbc:postgresql://h:1/d?user=ann&x=a;b, jdbc:postgresql://h:1/d",
        "jdbc:postgresql://h:1/d, jdbc:postgresql://h:1/d",
    })
    void a_place_has_no_parameters(String text, String place) {
        assertThat(url(text).place()).isEqualTo(place);
    }

    @Test
    void a_user_may_have_no_password_and_a_percent_sign_is_encoded() {
        assertThat(properties("jdbc:postgresql://ann@h/d", 1))
                .containsEntry("user", "ann")
                .doesNotContainKey("password");
        assertThat(properties("jdbc:postgresql://ann:a+%25@h/d", 1)).containsEntry("password", "a+%");
        assertThatThrownBy(() -> url("jdbc:postgresql://ann:50%@h/d"))
                .hasMessage("write % as %25 in the user and password of a URL");
    }

    @Test
    void numbers_of_options_are_within_their_bounds() {
        Duration second = Duration.ofSeconds(1);
        assertThat(options(1, 1, 0, second).connections()).isEqualTo(1);
        assertThat(JdbcOptions.USUAL.connections()).isEqualTo(10);
        assertThat(JdbcOptions.USUAL.connectTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(JdbcOptions.USUAL.writes()).isFalse();
        Jdbc jdbc = Jdbc.of(new org.h2.jdbcx.JdbcDataSource());
        assertThatThrownBy(() -> jdbc.callers(0)).hasMessage("callers must be from 1 to 65535, but was 0");
        assertThatThrownBy(() -> jdbc.callers(65_536)).hasMessage("callers must be from 1 to 65535, but was 65536");
        assertThat(jdbc.callers(7)).hasToString("DataSource, 7 callers");
        assertThat(jdbc.sql("select 1")).hasToString("DataSource, one statement");
        assertThatThrownBy(() -> options(0, 1, 0, second)).hasMessage("connections must be at least 1, but was 0");
        assertThatThrownBy(() -> options(1, 0, 0, second)).hasMessage("maxRequests must be at least 1, but was 0");
        assertThatThrownBy(() -> options(1, 1, -1, second))
                .hasMessage("idle connections must be at least 0, but was -1");
    }
}
