package dev.downbeat.cli.queue;

import dev.downbeat.cli.measurement.Asking;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A queue that a run on this machine has made. A note of it lies in a file until it is removed: so a run that was killed is
 * found by the next one.
 *
 * @param name of the queue
 * @param url where it is; its name, as long as nobody has said
 * @param pid which process made it
 * @param since when
 */
record MadeQueue(String name, String url, long pid, String since) {
    private static final String SEPARATOR = "\t";
    private static final int FIELDS = 4;

    /** Notes it before it is made: from then on it may exist. */
    static MadeQueue begin(String name) throws IOException {
        MadeQueue made = new MadeQueue(
                name,
                name,
                ProcessHandle.current().pid(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        made.note();
        return made;
    }

    /** The same, now that it is known where it is. */
    MadeQueue at(String there) throws IOException {
        MadeQueue made = new MadeQueue(name, there, pid, since);
        made.note();
        return made;
    }

    private static Path folder() {
        String state = System.getenv("XDG_STATE_HOME");
        Path home = state == null || state.isEmpty()
                ? Path.of(System.getProperty("user.home"), ".local", "state")
                : Path.of(state);
        return home.resolve("downbeat").resolve("queues");
    }

    private void note() throws IOException {
        Files.createDirectories(folder());
        Files.writeString(folder().resolve(name), String.join(SEPARATOR, name, url, Long.toString(pid), since) + "\n");
    }

    /** It is removed, or meant to stay. */
    void forget() {
        try {
            Files.deleteIfExists(folder().resolve(name));
        } catch (IOException stays) {
            // The next run will name a queue that is no more.
        }
    }

    /** Queues of runs that are over and did not remove them. */
    static List<MadeQueue> leftovers() {
        List<MadeQueue> left = new ArrayList<>();
        try (Stream<Path> notes = Files.list(folder())) {
            for (Path note : notes.sorted().toList()) {
                String[] fields = Files.readString(note).strip().split(SEPARATOR, -1);
                if (fields.length == FIELDS) {
                    MadeQueue made = new MadeQueue(fields[0], fields[1], Long.parseLong(fields[2]), fields[3]);
                    if (ProcessHandle.of(made.pid).isEmpty()) {
                        left.add(made);
                    }
                }
            }
        } catch (IOException | NumberFormatException unreadable) {
            return left; // there is none, as a rule
        }
        return left;
    }

    /** What to say of one that was left. */
    String words(Asking asking) {
        return "a queue of an earlier run was left: " + url + " (made " + since + " by process " + pid
                + ", which is gone). To remove it: " + removal(asking) + " && rm '" + folder().resolve(name) + "'";
    }

    /** A command that removes it. */
    String removal(Asking asking) {
        String endpoint = asking.queue()
                .endpoint()
                .map(uri -> " --endpoint-url '" + uri + "'")
                .orElse("");
        String region = asking.queue().region().map(name -> " --region " + name).orElse("");
        return "aws sqs delete-queue --queue-url '" + url + "'" + endpoint + region;
    }
}
