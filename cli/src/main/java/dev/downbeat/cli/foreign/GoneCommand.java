package dev.downbeat.cli.foreign;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Answers a command of earlier versions with its replacement. */
public final class GoneCommand {
    private static final Map<String, String> REPLACED = Map.of(
            "sheet",
            "the command 'sheet' is gone: 'downbeat sweep TARGET -o sweep.html' finds the sustainable rate and the times below"
                    + " it, 'downbeat position TARGET -o position.html' what new and used connections cost");

    private GoneCommand() {}

    /** The answer for a removed command; empty for other arguments. */
    public static Optional<String> answer(String... args) {
        List<String> words = List.of(args);
        List<String> rest = words.indexOf("help") == 0 ? words.subList(1, words.size()) : words;
        return rest.isEmpty() ? Optional.empty() : Optional.ofNullable(REPLACED.get(rest.get(0)));
    }
}
