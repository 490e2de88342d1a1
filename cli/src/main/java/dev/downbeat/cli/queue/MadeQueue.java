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
 * A queue created by a run on this machine. A file records it until the queue is removed, so that the next run finds
 * queues of killed runs.
 *
 * @param name name of the queue
 * @param url its URL; the name until the URL is known
 * @param pid process that created it
 * @param since time of its creation
 */
record MadeQueue(String name, String url, long pid, String since) {
    private static final String SEPARATOR = "\t";
    private static final int FIELDS = 4;

    /** Records the queue before it is created, since it may exist from then on. */
    static MadeQueue begin(String name) throws IOException {
        MadeQueue made = new MadeQueue(
                name,
                name,
                ProcessHandle.current().pid(),
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        made.note();
        return made;
    }

    /** The same with its URL. */
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

    /** Deletes the record: the queue is removed, or meant to stay. */
    void forget() {
        try {
            Files.deleteIfExists(folder().resolve(name));
        } catch (IOException undeletable) {
            // the next run reports a queue that no longer exists
        }
    }

    /** Queues that ended runs did not remove. */
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
            return left; // usually there are none
        }
        return left;
    }

    /** The message for a leftover queue. */
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
