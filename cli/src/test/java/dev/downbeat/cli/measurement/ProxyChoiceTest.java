package dev.downbeat.cli.measurement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProxyChoiceTest {
    private static final Map<String, String> ENVIRONMENT = Map.of(
            "http_proxy", "http://plain:1",
            "HTTP_PROXY", "http://never:1",
            "HTTPS_PROXY", "http://secure:2",
            "no_proxy", "localhost, .internal,example.org");

    private static Optional<String> of(String word, String url) {
        return new ConnectionOptions.ProxyChoice(ENVIRONMENT)
                .of(word, HttpEndpoint.parse(url))
                .map(Proxy::toString);
    }

    @Test
    void the_environment_applies_only_on_request_and_as_in_curl() {
        assertThat(of("env", "http://shop/")).hasValue("plain:1");
        assertThat(of("env", "https://shop/")).hasValue("secure:2");
        assertThat(of("http://own:3", "https://shop/")).hasValue("own:3");
        assertThat(of("http://own:3", "http://localhost/")).hasValue("own:3");
    }

    @Test
    void several_services_must_go_the_same_way() {
        ConnectionOptions.ProxyChoice choice = new ConnectionOptions.ProxyChoice(ENVIRONMENT);
        List<HttpEndpoint> services =
                List.of(HttpEndpoint.parse("http://shop/"), HttpEndpoint.parse("http://a.internal/"));
        assertThat(choice.of("http://own:3", services).map(Proxy::toString)).hasValue("own:3");
        assertThat(choice.of("none", services)).isEmpty();
        assertThatThrownBy(() -> choice.of("env", services))
                .hasMessage(
                        "--proxy env selects different proxies for these services: give one --proxy URL, or --proxy none");
    }

    @Test
    void a_variable_for_all_schemes_applies_where_no_own_one_is_set() {
        ConnectionOptions.ProxyChoice choice = new ConnectionOptions.ProxyChoice(Map.of(
                "https_proxy",
                "http://small:1",
                "HTTPS_PROXY",
                "http://capital:2",
                "http_proxy",
                " ",
                "ALL_PROXY",
                "http://all:3",
                "NO_PROXY",
                "*.none,direct"));
        assertThat(choice.of("env", HttpEndpoint.parse("https://shop/")).map(Proxy::toString))
                .hasValue("small:1");
        assertThat(choice.of("env", HttpEndpoint.parse("http://shop/")).map(Proxy::toString))
                .hasValue("all:3");
        assertThat(choice.of("env", HttpEndpoint.parse("http://direct/"))).isEmpty();
        assertThat(new ConnectionOptions.ProxyChoice(Map.of("HTTP_PROXY", "http://never:1"))
                        .of("env", HttpEndpoint.parse("http://shop/")))
                .isEmpty();
        assertThat(new ConnectionOptions.ProxyChoice(Map.of("ALL_PROXY", "http://all:3", "no_proxy", "*"))
                        .of("env", HttpEndpoint.parse("http://shop/")))
                .isEmpty();
    }

    @Test
    void a_variable_that_names_no_proxy_is_named_with_a_way_round() {
        ConnectionOptions.ProxyChoice choice =
                new ConnectionOptions.ProxyChoice(Map.of("all_proxy", "socks5://ann:s3cret@h:1"));
        assertThatThrownBy(() -> choice.of("env", HttpEndpoint.parse("http://shop/")))
                .hasMessageStartingWith("environment variable all_proxy: a proxy must be http://HOST:PORT")
                .hasMessageEndingWith(" (--proxy none uses none)")
                .message()
                .doesNotContain("s3cret");
    }

    @Test
    void services_that_are_excepted_are_asked_straight() {
        assertThat(of("env", "http://LOCALHOST:8080/")).isEmpty();
        assertThat(of("env", "http://a.internal/")).isEmpty();
        assertThat(of("env", "http://www.example.org/")).isEmpty();
        assertThat(of("env", "http://notexample.org/")).hasValue("plain:1");
    }
}
