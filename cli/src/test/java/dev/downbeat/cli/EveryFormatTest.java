package dev.downbeat.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.downbeat.loopback.LoopbackServer;
import dev.downbeat.loopback.options.LoopbackOptions;
import dev.downbeat.time.ServiceLaw;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Every command that measures or reads writes every format, and all of them begin with the same sentence. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EveryFormatTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> FORMATS = List.of("html", "json", "md", "xml", "txt");

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    static Path folder;

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static LoopbackServer server;

    @BeforeAll
    static void measure() throws IOException {
        server = LoopbackServer.start(LoopbackOptions.of(draft -> {
            draft.concurrency = 2;
            draft.delay = ServiceLaw.parse("5ms");
        }));
        for (String saved : List.of(
                "-o a.downbeat -o a.hlog --watch pid:" + ProcessHandle.current().pid(),
                "-o b.downbeat -o b.hlog",
                "--shard 0/2 -o 0.downbeat",
                "--shard 1/2 -o 1.downbeat")) {
            Shell made = call("run {server} -R 100 -c 4 -d 1500ms --slo p99<4s -q --seed 1 --accept-unsound " + saved);
            assertThat(made.exitCode()).as(made.err()).isIn(0, 99);
        }
    }

    @AfterAll
    static void close() {
        server.close();
    }

    private static Shell call(String line) {
        return Shell.call(Arrays.stream(line.split(" "))
                .map(word -> word.replace("{server}", server.uri()))
                .map(word -> word.matches(".*\\.(downbeat|hlog)")
                        ? folder.resolve(word).toString()
                        : word)
                .toArray(String[]::new));
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "run       |run {server} -R 100 -d 1s --slo p99<4s",
                "run       |report a.downbeat",
                "run       |rerun b.downbeat",
                "run       |merge 0.downbeat 1.downbeat --max-skew 1m",
                "run       |simulate --service 2ms -R 100 -d 2s",
                "variants  |run {server} -R 50 -d 600ms --turns 2 --vary connections=1,2",
                "comparison|compare a.downbeat b.downbeat",
                "comparison|compare --live {server} {server} -R 50 -d 600ms --turns 2",
                "sweep     |sweep {server} -R 20..40 --slo p90<4s --step-duration 3s --budget 6s --drain 200ms",
                "position  |position {server} --runs 6 -n 30 -c 2 --warm-up-runs 1",
                "explanation|explain a.downbeat",
                "audit     |audit b.hlog",
                "audit     |audit a.hlog b.hlog",
                "history   |history a.downbeat b.downbeat",
                "session   |session a.downbeat -n 5 --think 100ms",
                "proof     |prove -d 2s -R 50",
            })
    void every_format_starts_with_the_same_headline(String kind, String line) throws Exception {
        List<Path> files = new ArrayList<>();
        List<String> words = new ArrayList<>(List.of(line, "--json"));
        for (String format : FORMATS) {
            files.add(folder.resolve(kind.strip() + line.length() + "." + format));
            words.add("-o " + files.get(files.size() - 1));
        }
        Shell shell = call(String.join(" ", words));
        assertThat(shell.exitCode()).as(shell.err()).isIn(0, 98, 99);

        String json = Files.readString(files.get(FORMATS.indexOf("json")));
        JsonNode said = JSON.readTree(json);
        assertThat(JSON.readTree(shell.out())).isEqualTo(said);
        assertThat(said.path("kind").asText()).isEqualTo(kind.strip());
        assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(Files.readString(Path.of("../docs/schema", kind.strip() + ".json")))
                        .validate(said))
                .isEmpty();
        String headline = plain(said.path("headline").asText());
        assertThat(headline).isNotBlank();

        Document page = xml(files.get(FORMATS.indexOf("html")));
        assertThat(plain(page.getElementsByTagName("main").item(0).getTextContent()))
                .contains(headline);
        assertThat(page.getElementsByTagName("h1").item(0).getTextContent())
                .doesNotContainPattern("\\d (ns|us|ms|s|%)(?!\\w)");
        assertThat(plain(Files.readString(files.get(FORMATS.indexOf("md"))).replaceAll("\\\\([\\\\`*_<|])", "$1")))
                .startsWith("## " + headline);
        assertThat(plain(Files.readString(files.get(FORMATS.indexOf("txt"))))).contains(headline);
        assertSuite(xml(files.get(FORMATS.indexOf("xml"))), headline);
    }

    private static Document xml(Path file) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(Files.readAllBytes(file)));
    }

    /** White space, and what holds words together on a screen, is not of a sentence. */
    private static String plain(String text) {
        return text.replaceAll("[\\s\\u00a0\\u2060]+", " ").strip();
    }

    private static void assertSuite(Document build, String headline) {
        Element suite = (Element) build.getElementsByTagName("testsuite").item(0);
        assertThat(build.getDocumentElement().getTagName()).isEqualTo("testsuites");
        for (String part : List.of("testcase", "failure", "error")) {
            NodeList all = suite.getElementsByTagName(part);
            String count = suite.getAttribute(part.equals("testcase") ? "tests" : part + "s");
            assertThat(count).as(part).isEqualTo(Integer.toString(all.getLength()));
        }
        assertThat(suite.getElementsByTagName("testcase").getLength()).isPositive();
        NodeList properties = suite.getElementsByTagName("property");
        List<String> headlines = new ArrayList<>();
        for (int i = 0; i < properties.getLength(); i++) {
            Element property = (Element) properties.item(i);
            if (property.getAttribute("name").equals("headline")) {
                headlines.add(plain(property.getAttribute("value")));
            }
        }
        assertThat(headlines).containsExactly(headline);
    }
}
