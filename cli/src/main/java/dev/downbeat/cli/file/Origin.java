package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.option.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What was measured, without secrets.
 *
 * @param command the command line
 * @param measurement the same as a JSON tree
 */
public record Origin(List<String> command, Map<String, Object> measurement) {
    /** The origin of a command's result. */
    public static Origin of(String command, Record value, String... more) {
        List<String> words = new ArrayList<>(List.of("downbeat", command));
        words.addAll(Values.shown(value));
        words.addAll(List.of(more));
        return new Origin(List.copyOf(words), Map.of(command, Values.shownTree(value)));
    }
}
