package dev.downbeat.http.requests.file;

import dev.downbeat.http.requests.check.JsonValues;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * IntelliJ's environments, next to a request file: {@code http-client.env.json}, and private values in {@code
 * http-client.private.env.json}, which take precedence.
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
        boolean found = false;
        for (String name : new String[] {"http-client.env.json", "http-client.private.env.json"}) {
            Path file = folder.resolve(name);
            if (!Files.isRegularFile(file)) {
                continue;
            }
            Map<String, Object> all = parse(file, name);
            known.addAll(all.keySet());
            found |= all.containsKey(environment);
            for (String part : new String[] {SHARED, environment}) {
                JsonValues.object(all.getOrDefault(part, Map.of()))
                        .forEach((variable, value) -> variables.put(variable, JsonValues.plain(value)));
            }
        }
        known.remove(SHARED);
        if (!found) {
            throw new IllegalArgumentException("--env " + environment + ": no http-client.env.json in " + folder
                    + " has it" + (known.isEmpty() ? "" : " (there are: " + String.join(", ", known) + ")"));
        }
        return variables;
    }

    private static Map<String, Object> parse(Path file, String name) throws IOException {
        try {
            return JsonValues.object(JsonValues.parse(Files.readString(file)));
        } catch (IllegalArgumentException corrupt) {
            throw new IllegalArgumentException(name + ": " + corrupt.getMessage(), corrupt);
        }
    }
}
