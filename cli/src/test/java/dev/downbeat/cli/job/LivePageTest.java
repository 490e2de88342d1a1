package dev.downbeat.cli.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.cli.file.SavedFile;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.data.RunReport;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LivePageTest {
    private static HttpResponse<String> look(LivePage page) throws Exception {
        return ask(page, "GET");
    }

    private static HttpResponse<String> ask(LivePage page, String method) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + page.port() + "/"))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void an_address_is_a_port_of_this_machine_or_a_host_and_a_port() {
        assertThat(LiveOptions.address(":65535"))
                .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 65535));
        assertThat(LiveOptions.resolved("--live-page", LiveOptions.address("127.0.0.2:0")))
                .isEqualTo(new InetSocketAddress("127.0.0.2", 0));
        assertThatThrownBy(() -> LiveOptions.address(":65536"))
                .hasMessage("a port must be from 0 to 65535, but was 65536");
        for (String wrong : List.of("8080", ":", ":x", ":123456", "localhost")) {
            assertThatThrownBy(() -> LiveOptions.address(wrong))
                    .hasMessage("an address must be :PORT or HOST:PORT, but was '" + wrong + "'");
        }
    }

    /** The JVM warned on stderr, between the repainted lines, of a HEAD that was answered like a GET. */
    @Test
    @Timeout(60)
    void a_head_is_answered_without_the_page_and_without_a_warning() throws Exception {
        List<LogRecord> logged = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord told) {
                logged.add(told);
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger server = Logger.getLogger("com.sun.net.httpserver");
        server.addHandler(handler);
        try (LivePage page = LivePage.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            HttpResponse<String> head = ask(page, "HEAD");
            assertThat(head.statusCode()).isEqualTo(200);
            assertThat(head.body()).isEmpty();
            assertThat(ask(page, "POST").statusCode()).isEqualTo(405);
        } finally {
            server.removeHandler(handler);
        }
        assertThat(logged).isEmpty();
    }

    /** Where scripts do not run. */
    private static final String RENEWS = "http-equiv=\"refresh\"";

    @Test
    @Timeout(60)
    void the_page_grows_and_is_whole_in_the_end() throws Exception {
        RunReport report = SavedFile.read(Path.of("src/test/resources/dev/downbeat/cli/schema1/run.downbeat"));
        try (LivePage page = LivePage.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            assertThat(look(page).body()).contains("about to start");
            page.begin(RunHead.of(report), () -> "done 7, failed 0", List::of);
            assertThat(look(page).body()).as("before the first request").contains("about to start");
            report.result().intervals().forEach(page::interval);
            HttpResponse<String> half = look(page);
            assertThat(half.headers().firstValue("Refresh")).isEmpty(); // it renews itself
            assertThat(half.body())
                    .contains("RUNNING:", "So far: done 7, failed 0.", RENEWS, "outstanding")
                    .doesNotContain("id=\"verdict\"");
            Thread finish = new Thread(() -> page.finish(Optional.of(report)));
            finish.start();
            HttpResponse<String> whole = look(page);
            while (whole.body().contains(RENEWS)) {
                whole = look(page); // the other thread has not come to it yet
            }
            assertThat(whole.body()).doesNotContain("RUNNING");
            finish.join();
        }
    }
}
