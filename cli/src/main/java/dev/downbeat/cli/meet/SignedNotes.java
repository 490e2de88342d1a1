package dev.downbeat.cli.meet;

import dev.downbeat.cli.job.RunCounts;
import dev.downbeat.json.JsonText;
import dev.downbeat.report.file.tree.JsonTree;
import dev.downbeat.report.file.tree.RecordTree;
import dev.downbeat.run.RunSnapshot;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads and writes signed records in a shared store. Notes without a valid signature are ignored and counted. Thread-safe.
 */
final class SignedNotes {
    private final SharedStore store;
    private final Token token;
    private final AtomicLong foreign = new AtomicLong();

    SignedNotes(SharedStore store, Token token) {
        this.store = store;
        this.token = token;
    }

    <T extends Record> void write(String name, T note) throws IOException {
        byte[] text = JsonText.of(RecordTree.tree(note)).getBytes(StandardCharsets.UTF_8);
        if (text.length + Token.SIGNATURE_BYTES > SharedStore.MOST_BYTES) {
            throw new IOException(name + " has " + text.length + " bytes, more than a note may have");
        }
        store.put(name, token.signed(name, text));
    }

    /** The note of this name; empty if it is missing, not signed with this plan's token, or unreadable. */
    <T extends Record> Optional<T> read(String name, Class<T> type) throws IOException {
        return text(name).flatMap(text -> readable(text, type));
    }

    /** The text of the note of this name; empty if it is missing or not signed. */
    Optional<byte[]> text(String name) throws IOException {
        Optional<byte[]> note = store.get(name);
        Optional<byte[]> text = note.flatMap(bytes -> token.verified(name, bytes));
        foreign.addAndGet(note.isPresent() && text.isEmpty() ? 1 : 0);
        return text;
    }

    boolean isStopped(String id) throws IOException {
        return read(Note.STOP, Note.Stop.class)
                .filter(stop -> stop.ids().contains(id))
                .isPresent();
    }

    /** Parses a note; empty if it is unreadable. */
    static <T extends Record> Optional<T> readable(byte[] text, Class<T> type) {
        try {
            return Optional.of(RecordTree.read(type, JsonTree.object(new String(text, StandardCharsets.UTF_8))));
        } catch (IOException corrupt) {
            return Optional.empty(); // written by another version of Downbeat
        }
    }

    long foreign() {
        return foreign.get();
    }

    SharedStore store() {
        return store;
    }

    /** The kinds of notes. Instants are nanoseconds since 1970 on the writer's clock. */
    static final class Note {
        static final String CLOCKS = "clocks";
        static final String AGREED = "agreed";
        static final String STOP = "stop";

        private Note() {}

        static String ready(int shard) {
            return "ready-" + shard;
        }

        static String state(int shard) {
            return "state-" + shard;
        }

        /**
         * A shard is ready to start, or about to be.
         *
         * @param shard its number in the plan
         * @param id unique id of its process
         * @param beat heartbeat counter; if it stops advancing, the process is gone
         * @param sentAtNanos when the note was written
         * @param clockOf id of the shard whose clock it has compared with its own; empty before the comparison
         */
        record Ready(int shard, String id, long beat, long sentAtNanos, String clockOf) {}

        /** Which heartbeats the leader saw, and when, on its clock. */
        record Clocks(String leader, long writtenAtNanos, List<Seen> seen) {}

        /** A shard's latest heartbeat. */
        record Seen(String id, long beat, long seenAtNanos) {}

        /**
         * The leader's decision. It applies only to the ids listed, so a note from an earlier meeting has no effect.
         *
         * @param why the reason if the run does not start; otherwise empty
         * @param startNanos start time on the leader's clock
         * @param members in the order in which they share the load
         */
        record Agreed(String why, long startNanos, List<Member> members) {}

        record Member(int shard, String id) {}

        /** Asks these processes to end and report what they have. */
        record Stop(List<String> ids) {}

        enum Phase {
            RUNNING,
            ENDED
        }

        /**
         * The state of a shard's run.
         *
         * @param elapsedNanos since the start; negative before it
         * @param seen its total counts so far, so the next note makes up for a lost one
         */
        record State(
                int shard,
                String id,
                long beat,
                Phase phase,
                long elapsedNanos,
                RunCounts.Snapshot seen,
                RunSnapshot live) {}
    }
}
