package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The checkout under test, and the files of it that users run. */
final class Checkout {
    private Checkout() {}

    static Path root() {
        return Path.of(System.getProperty("downbeat.root", ".."))
                .toAbsolutePath()
                .normalize();
    }

    /** The version in the POM. */
    static String version() throws IOException {
        Matcher version =
                Pattern.compile("<revision>(.*)</revision>").matcher(Files.readString(root().resolve("pom.xml")));
        assertThat(version.find()).isTrue();
        return version.group(1);
    }

    static Path launcher() {
        return root().resolve("downbeat");
    }

    /** The jar of the command line; fails if it has not been built. */
    static Path jar() {
        Path jar = root().resolve("cli/target/downbeat.jar");
        assertThat(Files.isRegularFile(jar))
                .as(
                        "%s is missing: these tests need the packaged command line, so run 'mvn verify', not 'mvn test'",
                        jar)
                .isTrue();
        return jar;
    }
}
