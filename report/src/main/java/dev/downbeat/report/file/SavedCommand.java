package dev.downbeat.report.file;

import dev.downbeat.report.file.tree.JsonTree;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The command line in a report as JSON. */
public final class SavedCommand {
    private SavedCommand() {}

    /**
     * The command line that made a report.
     *
     * @param text of the whole report
     * @return one word each, our own name first
     * @throws IOException if it is no report of ours; its message is one clear line
     */
    public static List<String> of(String text) throws IOException {
        Map<String, Object> report = JsonTree.object(text);
        if (!(report.get("schema") instanceof Long)
                || !(report.get("command") instanceof List<?> words)
                || !words.stream().allMatch(String.class::isInstance)) {
            throw new IOException("it is not a result saved with -o NAME.json");
        }
        return words.stream().map(String::valueOf).toList();
    }

    /**
     * What made a report, by the name of the command; empty if it was not kept.
     *
     * @param text of the whole report
     * @throws IOException if it is no JSON
     */
    public static Map<String, Object> measurement(String text) throws IOException {
        return JsonTree.asObject(JsonTree.object(text).getOrDefault("measurement", Map.of()));
    }
}
