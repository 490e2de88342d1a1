package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every module is published, in the BOM and checked, unless its POM says that it is not deployed. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReleaseListsTest {
    private static final Pattern MODULE = Pattern.compile("<module>([^<]+)</module>");
    private static final Pattern OWN = Pattern.compile("(?s)</parent>.*?<artifactId>([^<]+)</artifactId>");
    private static final Pattern ARTIFACT =
            Pattern.compile("<groupId>dev[.]downbeat</groupId><artifactId>([^<]+)</artifactId>");
    private static final Pattern PUBLISHED = Pattern.compile("(?s)published=\"([^\"]+)\"");

    private static final Pattern REVISION = Pattern.compile("<revision>([0-9.]+)");
    private static final Pattern BASELINE = Pattern.compile("<api.baseline>([0-9.]+)");

    private static String read(String file) throws IOException {
        return Files.readString(Checkout.root().resolve(file));
    }

    private static Set<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String only(Pattern pattern, String text) {
        MatchResult match = pattern.matcher(text).results().findFirst().orElseThrow();
        return match.group(1);
    }

    private static Set<String> published() throws IOException {
        String modules = read("pom.xml").replaceFirst("(?s)</modules>.*", "");
        Set<String> published = new TreeSet<>();
        for (String module : all(MODULE, modules)) {
            String pom = read(module + "/pom.xml");
            if (!pom.contains("<maven.deploy.skip>true")) {
                published.add(only(OWN, pom));
            }
        }
        return published;
    }

    @Test
    void the_check_of_a_release_knows_what_is_published() throws IOException {
        Set<String> expected = published();
        expected.add("downbeat-parent");
        assertThat(new TreeSet<>(
                        Set.of(only(PUBLISHED, read("release/check.sh")).trim().split("\\s+"))))
                .isEqualTo(expected);
    }

    /** Without this, Central's plugin ignores the deploy plugin's property and bundles the test modules. */
    @Test
    void Maven_Central_gets_what_is_published_and_no_more() throws IOException {
        String central = only(Pattern.compile("(?s)<id>central</id>(.*?)</profile>"), read("pom.xml"));
        assertThat(central).contains("<skipPublishing>${maven.deploy.skip}</skipPublishing>");
    }

    @Test
    void the_BOM_has_every_published_module() throws IOException {
        Set<String> expected = published();
        expected.remove("downbeat-bom");
        assertThat(all(ARTIFACT, read("release/bom/pom.xml"))).isEqualTo(expected);
    }

    @Test
    void each_page_has_its_place_on_the_site() throws IOException {
        String places = read("release/site/mkdocs.yml");
        try (Stream<Path> files = Files.list(Checkout.root().resolve("docs"))) {
            assertThat(files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".md")))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(places).contains(": " + name + "\n"));
        }
    }

    @Test
    void the_version_is_renewed_wherever_users_copy_it_from() throws IOException {
        String pom = read("pom.xml");
        Pattern version = Pattern.compile("(?<![0-9.])(?:" + Pattern.quote(only(REVISION, pom)) + "|"
                + Pattern.quote(only(BASELINE, pom)) + ")(?![0-9])");
        Path root = Checkout.root();
        List<PathMatcher> renewed = Stream.of(read("release/prepare.sh").split("\\s+"))
                .filter(word -> word.matches("[\\w*/-]+[.](?:md|yml|groovy)"))
                .map(glob -> root.getFileSystem().getPathMatcher("glob:" + glob))
                .toList();
        for (String folder : List.of("docs", "templates", "vars")) {
            try (Stream<Path> files = Files.list(root.resolve(folder))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Path name = root.relativize(file);
                    if (version.matcher(Files.readString(file, StandardCharsets.ISO_8859_1))
                            .find()) {
                        assertThat(renewed)
                                .as("release/prepare.sh must write the version into %s", name)
                                .anyMatch(one -> one.matches(name));
                    }
                }
            }
        }
    }

    /** Prepares a release in a copy of the files that get its version. */
    @Test
    void a_release_does_not_say_that_nothing_is_released(@TempDir Path folder) throws IOException {
        String version = Checkout.version().replace("-SNAPSHOT", "");
        String output = shell(
                folder,
                "tar -c --exclude target -C '" + Checkout.root() + "' $(cd '" + Checkout.root()
                        + "' && ls -d *.md pom.xml docs release templates vars jbang-catalog.json */example */examples"
                        + " gatling-plugin/builds) | tar -x",
                "git init -q",
                "git config user.name x && git config user.email x@x.example && git config commit.gpgsign false",
                "git add -A && git commit -qm all",
                "release/prepare.sh " + version + " >/dev/null",
                "git show v" + version + ":docs/install.md",
                "git show v" + version + ":README.md",
                "release/notes.sh " + version);
        assertThat(output)
                .startsWith("# Install\n\n## ")
                .contains("\nThere are archives, ", "\nStatus: tested on ")
                .doesNotContainIgnoringCase("nothing is published")
                .doesNotContainIgnoringCase("nothing has been released");
    }

    private static String shell(Path folder, String... lines) throws IOException {
        try (Cli cli = Cli.startCommand(List.of("sh", "-ec", String.join("\n", lines)), folder)) {
            Cli.Ending ending = cli.end(Duration.ofSeconds(60));
            assertThat(ending.code()).as(ending.out() + ending.err()).isZero();
            return ending.out();
        }
    }

    @Test
    void the_launcher_for_Windows_starts_what_the_archives_have() throws IOException {
        String launcher = read("release/dist/src/main/windows/downbeat.cmd");
        assertThat(launcher)
                .contains("\\lib\\downbeat.jar", "\\lib\\jvm.options", "\\runtime\\bin\\java.exe")
                .contains("exit /b %ERRORLEVEL%")
                .isASCII();
        assertThat(read("release/dist/stage.sh")).contains("jvm.options\" \"$folder/lib/\"", "downbeat.cmd");
    }

    /** Java 8 would take the option file for the name of a class. */
    @Test
    void the_launcher_for_Windows_refuses_a_Java_that_is_too_old() throws IOException {
        String launcher = read("release/dist/src/main/windows/downbeat.cmd");
        Set<String> tooOld = all(Pattern.compile("/c:\"([^\"]+)\""), launcher);
        assertThat(launcher).contains("&& echo downbeat: Java 17 or newer is needed, ");
        for (String version : List.of("1.8.0_412", "9.0.4", "10.0.2", "11.0.2", "16")) {
            assertThat(tooOld).as(version).anyMatch(pattern -> isFound(pattern, version));
        }
        for (String version : List.of("17", "17.0.15", "19.0.1", "21.0.9", "25")) {
            assertThat(tooOld).as(version).noneMatch(pattern -> isFound(pattern, version));
        }
    }

    private static boolean isFound(String pattern, String version) {
        String line = "openjdk version \"" + version + "\" 2026-01-20";
        return Pattern.compile(pattern).matcher(line).find();
    }
}
