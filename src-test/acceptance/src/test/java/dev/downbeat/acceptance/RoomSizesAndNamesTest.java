package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A package of main code has at most 25 types, and a simple name is used once in all modules. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RoomSizesAndNamesTest {
    private static final int MOST_TYPES = 25;

    /** The declaration of a nested type that is not private. */
    private static final Pattern NESTED = Pattern.compile(
            "^ +(?:(?:public|protected|static|final|abstract|sealed|non-sealed) )*"
                    + "(?:class|interface|enum|record|@interface) (\\w+)",
            Pattern.MULTILINE);

    /** Nested types that share the name of a top-level type, with the reason. */
    private static final Map<String, String> SHARED = Map.of(
            "LoadCaveat.OwnLimit", "the caveat that an own limit was met; its name is its code in results",
            "Finding.Measured", "a run that only measured; its name is in saved runs",
            "SustainedRate.Step", "promised to users, who do not see the internal Step",
            "Spacing.Poisson", "the same law with a changing rate; its name is in saved runs",
            "ThinkTime.Constant", "constant, like the arrivals; its name is in saved runs",
            "ServiceLaw.Constant", "constant, like the arrivals");

    @Test
    void a_package_has_at_most_25_types() throws IOException {
        Map<String, Integer> types = new TreeMap<>();
        for (Path file : sources()) {
            types.merge(packageName(file), 1, Integer::sum);
        }
        types.values().removeIf(count -> count <= MOST_TYPES);
        assertThat(types).isEmpty();
    }

    @Test
    void a_simple_name_means_one_thing() throws IOException {
        Map<String, Set<String>> packages = new TreeMap<>();
        for (Path file : sources()) {
            packages.computeIfAbsent(name(file), any -> new TreeSet<>()).add(packageName(file));
        }
        packages.values().removeIf(where -> where.size() == 1);
        assertThat(packages).isEmpty();
    }

    @Test
    void no_nested_type_has_the_name_of_a_top_level_type() throws IOException {
        List<Path> products = sources().stream()
                .filter(file -> !file.toString().replace('\\', '/').matches("[./]*/(src-test|jmh-benchmarks)/.*"))
                .toList();
        Set<String> names = products.stream().map(RoomSizesAndNamesTest::name).collect(Collectors.toSet());
        Set<String> twice = new TreeSet<>();
        for (Path file : products) {
            NESTED.matcher(Files.readString(file))
                    .results()
                    .map(nested -> nested.group(1))
                    .filter(names::contains)
                    .forEach(nested -> twice.add(name(file) + "." + nested));
        }
        assertThat(twice).containsExactlyInAnyOrderElementsOf(SHARED.keySet());
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName()).replace(".java", "");
    }

    private static String packageName(Path file) {
        String path = file.toString().replace('\\', '/');
        return path.substring(path.indexOf("dev/downbeat/"), path.lastIndexOf('/'))
                .replace('/', '.');
    }

    /** The files of main code, each with one top-level type. */
    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("..", ".."))) {
            return files.filter(file ->
                            file.toString().replace('\\', '/').matches(".*/src/main/java/dev/downbeat/.*[.]java"))
                    .filter(file -> !file.endsWith("package-info.java"))
                    .filter(file -> !file.toString().contains("target/"))
                    .collect(Collectors.toList());
        }
    }
}
