package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.check.JsonValues;
import dev.downbeat.http.requests.value.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * IntelliJ's environments, next to a request file: {@code http-client.env.json}, and private values in {@code
 * http-client.private.env.json}, which take precedence. Variables of an environment take precedence over shared ones.
 */
public final class EnvironmentFiles {
    private static final String SHARED = "$shared";

    private EnvironmentFiles() {}

    /**
     * The variables of an environment.
     *
     * @param folder folder of the files
     * @throws IllegalArgumentException if no file defines it, or one is malformed; the message lists the environments
     */
    public static Map<String, String> read(Path folder, String environment) throws IOException {
        Map<String, String> variables = new LinkedHashMap<>();
        Set<String> known = new TreeSet<>();
        Map<String, Map<String, Object>> files = new LinkedHashMap<>();
        for (Path file : in(folder)) {
            String name = String.valueOf(file.getFileName());
            files.put(name, parse(file, name));
        }
        files.values().forEach(all -> known.addAll(all.keySet()));
        known.remove(SHARED);
        if (!known.contains(environment)) {
            throw new IllegalArgumentException("--env " + environment + ": no http-client.env.json in " + folder
                    + " defines it" + (known.isEmpty() ? "" : " (defined: " + String.join(", ", known) + ")"));
        }
        for (String part : List.of(SHARED, environment)) {
            files.forEach((name, all) -> object(all.getOrDefault(part, Map.of()), name, part)
                    .forEach((variable, value) -> variables.put(variable, JsonValues.plain(value))));
        }
        return variables;
    }

    /** The files of a folder. */
    public static List<Path> in(Path folder) {
        return Stream.of("http-client.env.json", "http-client.private.env.json")
                .map(folder::resolve)
                .filter(Files::isRegularFile)
                .toList();
    }

    private static Map<String, Object> object(Object value, String file, String part) {
        if (!(value instanceof Map)) {
            throw new IllegalArgumentException(file + ": \"" + part + "\" must be an object of variables");
        }
        return JsonValues.object(value);
    }

    private static Map<String, Object> parse(Path file, String name) throws IOException {
        String text = TextFile.read(file, HttpFile.LARGEST);
        try {
            return JsonValues.object(JsonValues.parse(text));
        } catch (IllegalArgumentException corrupt) {
            throw new IllegalArgumentException(name + ": " + corrupt.getMessage(), corrupt);
        }
    }
}
