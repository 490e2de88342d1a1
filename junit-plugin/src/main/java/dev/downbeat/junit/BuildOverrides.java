package dev.downbeat.junit;

import dev.downbeat.selfcheck.PropertyNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * A build's overrides for load tests: system properties ({@code -Ddownbeat.duration=5m}) and a file {@code
 * downbeat.properties} on the class path. The file has values for all profiles ({@code duration=10s}) and for one
 * ({@code nightly.duration=5m}), selected by {@code -Ddownbeat.profile=nightly}. Immutable.
 */
final class BuildOverrides {
    private static final String PREFIX = PropertyNames.PREFIX;
    private static final String FILE = "downbeat.properties";
    private static final String PROFILE = "profile";
    private static final String DEFAULT_PROFILE = "commit";

    private static final List<String> BUILD_KEYS = List.of(PROFILE, "reports", "baselines", "against");

    private static final List<String> TEST_KEYS = PropertyNames.ofJUnit().stream()
            .filter(key -> !BUILD_KEYS.contains(key))
            .toList();

    /** Settings available only on the class, which users may expect here. */
    private static final List<String> CLASS_ONLY_KEYS = List.of(
            "perSecond",
            "stages",
            "arrivals",
            "inFlight",
            "seed",
            "watchSelf",
            "slo",
            "objectives",
            "serviceUrl",
            "ready",
            "turns",
            "failsAfter");

    private final Properties system;
    private final Properties file;
    private final String profile;

    private BuildOverrides(Properties system, Properties file) {
        this.system = system;
        this.file = file;
        String given = system.getProperty(PREFIX + PROFILE);
        profile = given == null ? file.getProperty(PROFILE, DEFAULT_PROFILE) : given;
        boolean isKnown = profile.equals(DEFAULT_PROFILE)
                || file.stringPropertyNames().stream().anyMatch(key -> key.startsWith(profile + "."));
        if (!isKnown) {
            throw refused(PREFIX + PROFILE + "=" + profile + ": " + FILE
                    + " on the class path has no line that begins with " + profile + ".");
        }
        checkKeys();
    }

    static BuildOverrides of(Class<?> test) {
        Properties read = new Properties();
        ClassLoader loader = test.getClassLoader();
        URL found = loader == null ? ClassLoader.getSystemResource(FILE) : loader.getResource(FILE);
        if (found != null) {
            try (InputStream in = found.openStream();
                    InputStreamReader lines = new InputStreamReader(in, StandardCharsets.UTF_8)) {
                read.load(lines);
            } catch (IOException | IllegalArgumentException corrupt) {
                throw refused(found + " cannot be read: " + corrupt.getMessage());
            }
        }
        return of(System.getProperties(), read);
    }

    static BuildOverrides of(Properties system, Properties file) {
        return new BuildOverrides(system, file);
    }

    private void checkKeys() {
        for (String key : new TreeSet<>(file.stringPropertyNames())) {
            String bare = key.substring(key.indexOf('.') + 1);
            if (!TEST_KEYS.contains(bare) && !key.equals(PROFILE)) {
                throw refused(FILE + ": unknown key '" + key + "': accepted are " + String.join(", ", TEST_KEYS)
                        + ", each for all or after the name of a profile and a dot, and " + PROFILE);
            }
        }
        for (String key : CLASS_ONLY_KEYS) {
            if (system.containsKey(PREFIX + key)) {
                throw refused("-D" + PREFIX + key + ": only a class can set this; a build can set "
                        + String.join(", ", TEST_KEYS));
            }
        }
        PropertyNames.refusal(system, PropertyNames.ofJUnit()).ifPresent(unknown -> {
            throw refused(unknown);
        });
        for (String key : BUILD_KEYS) {
            if (system.getProperty(PREFIX + key, key).isBlank()) {
                throw refused("-D" + PREFIX + key + ": it is empty");
            }
        }
    }

    private static ExtensionConfigurationException refused(String message) {
        return new ExtensionConfigurationException(message);
    }

    /** A value as written, and its origin for messages. */
    record SourcedValue(String where, String text) {}

    /** System properties override the profile, which overrides values for all. */
    Optional<SourcedValue> get(String key) {
        String given = system.getProperty(PREFIX + key);
        if (given != null) {
            return Optional.of(new SourcedValue("-D" + PREFIX + key, given));
        }
        String ofProfile = file.getProperty(profile + "." + key);
        if (ofProfile != null) {
            return Optional.of(new SourcedValue(FILE + ": " + profile + "." + key, ofProfile));
        }
        return Optional.ofNullable(file.getProperty(key)).map(text -> new SourcedValue(FILE + ": " + key, text));
    }
}
