package dev.downbeat.cli.file;

import dev.downbeat.cli.measurement.ClientOptions;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.Sweep;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.http.requests.value.DynamicValues;
import dev.downbeat.report.render.ShellWords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What a measurement accesses on the machine that it runs on, beyond files. Immutable.
 *
 * @param code whether it starts code
 * @param variables names of the environment variables that its requests, or the files of these, contain
 * @param awsKeys whether it signs with AWS keys
 */
public record MachineAccess(boolean code, List<String> variables, boolean awsKeys) {
    /** Larger files are no requests. */
    private static final long LARGEST = 64L * 1024 * 1024;

    /** What a measurement accesses; reads the files of its requests. */
    public static MachineAccess of(Record value) {
        List<String> words = Values.words(value);
        TreeSet<String> variables = new TreeSet<>();
        words.forEach(word -> variables.addAll(DynamicValues.environment(word)));
        Optional<ClientOptions> asking = value instanceof Measurement one
                ? Optional.of(one.asking())
                : value instanceof Sweep search ? Optional.of(search.asking()) : Optional.empty();
        asking.flatMap(one -> one.request().variable()).ifPresent(variables::add);
        asking.ifPresent(one -> {
            String aim = aim(value);
            one.neededFiles(aim)
                    .forEach(file -> variables.addAll(DynamicValues.environment(Refusal.wrap(() -> text(file)))));
            variables.addAll(one.environmentVariables(aim));
        });
        return new MachineAccess(
                startsCode(value),
                List.copyOf(variables),
                asking.filter(one -> one.requests().awsSigv4().isPresent()
                                || one.queue().isElsewhere(aim(value)))
                        .isPresent());
    }

    /** Whether a measurement starts code on this machine; reads no file. */
    public static boolean startsCode(Record value) {
        return Values.words(value).stream().anyMatch(ClientOptions::startsCode);
    }

    /** Refuses a file that needs more than is allowed. */
    public static void check(Object file, Record value, Permission given) {
        if (given == Permission.CODE) {
            return;
        }
        MachineAccess access = of(value);
        Permission needed = access.permission();
        Refusal.when(
                needed.compareTo(given) > 0,
                () -> file + " " + access + ". If you trust it, add " + needed.option() + ". Its arguments: "
                        + ShellWords.line(Values.redacted(value)));
    }

    private static String aim(Record value) {
        return value instanceof Measurement one
                ? one.aim().orElse("")
                : value instanceof Sweep search ? search.target() : "";
    }

    /** The text of a file; empty for a pipe, which can be read only once and is written by the user. */
    private static String text(Path file) throws IOException {
        return Files.isRegularFile(file) && Files.size(file) <= LARGEST
                ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
                : "";
    }

    /** The least permission that it needs. */
    public Permission permission() {
        return code ? Permission.CODE : awsKeys || !variables.isEmpty() ? Permission.ENVIRONMENT : Permission.NONE;
    }

    /** As the rest of a sentence. */
    @Override
    public String toString() {
        if (code) {
            return "starts code on this machine";
        }
        List<String> all = new ArrayList<>();
        if (!variables.isEmpty()) {
            all.add("sends " + String.join(", ", variables) + " of this environment");
        }
        if (awsKeys) {
            all.add("signs with this machine's AWS keys");
        }
        return String.join(" and ", all);
    }
}
