package dev.downbeat.report.file;

import dev.downbeat.exchange.SafeText;
import dev.downbeat.json.JsonText;
import dev.downbeat.report.file.tree.JsonTree;
import dev.downbeat.report.file.tree.UntrustedFile;
import dev.downbeat.report.render.RecordJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A plan shared by several processes or machines, as a JSON file of schema 2. It contains the measurement with all
 * random choices made, so every reader runs the same, and includes secrets such as headers. Files of schema 1 contain
 * command-line arguments instead.
 *
 * @param version version of Downbeat that made it
 * @param id derived from the measurement and the number of shards; results with equal ids belong together
 * @param shards number of shards; at least 1
 * @param seed hexadecimal seed; empty if nothing is random
 * @param target the target in one line, for readers
 * @param load the load in words, for readers
 * @param measurement the value for {@code run}, as a JSON tree; empty in schema 1
 * @param command in schema 1 the arguments: {@code run}, target and options; otherwise empty
 * @param token unguessable secret by which meeting shards prove that they have the plan; empty in old plans
 */
public record PlanFile(
        String version,
        String id,
        int shards,
        Optional<String> seed,
        String target,
        String load,
        Map<String, Object> measurement,
        List<String> command,
        String token) {
    /** Incremented when a name is removed or changes its meaning, not when one is added. */
    public static final int SCHEMA = 2;

    public PlanFile {
        measurement = Collections.unmodifiableMap(new LinkedHashMap<>(measurement));
        command = List.copyOf(command);
        if (shards < 1) {
            throw new IllegalArgumentException("shards must be at least 1, but were " + shards);
        }
    }

    /** The file's text, ending in a line feed. */
    public String text() {
        try {
            StringBuilder out = new StringBuilder();
            RecordJson.write(members(), out);
            return out.toString();
        } catch (IOException impossible) {
            throw new IllegalStateException("a StringBuilder takes everything", impossible);
        }
    }

    /** The same on a single line. */
    public String line() {
        return JsonText.of(members());
    }

    private Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("schema", measurement.isEmpty() ? 1 : SCHEMA);
        members.put("kind", "plan");
        members.put("downbeat", version);
        members.put("plan_id", id);
        members.put("shards", shards);
        if (!token.isEmpty()) {
            members.put("token", token);
        }
        seed.ifPresent(digits -> members.put("seed", digits));
        members.put("target", target);
        members.put("load", load);
        members.put(measurement.isEmpty() ? "command" : "measurement", measurement.isEmpty() ? command : measurement);
        return members;
    }

    /**
     * Parses a plan.
     *
     * @throws IOException if the text is not a plan or has a later schema; its message is one clear line
     */
    public static PlanFile parse(String text) throws IOException {
        try {
            return checked(text);
        } catch (RuntimeException wrong) {
            throw new IOException("corrupt: " + UntrustedFile.why(wrong), wrong);
        }
    }

    private static PlanFile checked(String text) throws IOException {
        Map<String, Object> members = JsonTree.verbatim(text); // a body may contain line breaks
        if (!"plan".equals(members.get("kind"))) {
            throw new IOException("not a plan made with 'downbeat plan'");
        }
        String version = word(members, "downbeat");
        JsonTree.checkSchema(members, SCHEMA);
        if (!(members.get("shards") instanceof Long shards) || shards < 1 || shards > Integer.MAX_VALUE) {
            throw new IOException("corrupt: 'shards' must be a number from 1");
        }
        List<String> command = new ArrayList<>();
        if (members.get("command") instanceof List<?> words) {
            for (Object word : words) {
                if (!(word instanceof String plain)) {
                    throw new IOException("corrupt: a word of 'command' is not text");
                }
                command.add(plain);
            }
        }
        Optional<String> seed =
                members.get("seed") instanceof String digits ? Optional.of(SafeText.line(digits)) : Optional.empty();
        return new PlanFile(
                version,
                word(members, "plan_id"),
                shards.intValue(),
                seed,
                word(members, "target"),
                word(members, "load"),
                JsonTree.asObject(members.getOrDefault("measurement", Map.of())),
                command,
                members.containsKey("token") ? word(members, "token") : "");
    }

    private static String word(Map<String, Object> members, String name) throws IOException {
        if (members.get(name) instanceof String word) {
            return SafeText.line(word);
        }
        throw new IOException("corrupt: '" + name + "' is missing");
    }
}
