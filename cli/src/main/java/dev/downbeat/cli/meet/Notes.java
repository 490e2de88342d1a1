package dev.downbeat.cli.meet;

import dev.downbeat.cli.job.Counted;
import dev.downbeat.json.JsonText;
import dev.downbeat.report.file.tree.JsonTree;
import dev.downbeat.report.file.tree.RecordTree;
import dev.downbeat.run.Live;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A board whose notes are records with a seal. What a stranger put there is passed over, and counted. Thread-safe. */
final class Notes {
    private final Board board;
    private final Token token;
    private final AtomicLong foreign = new AtomicLong();

    Notes(Board board, Token token) {
        this.board = board;
        this.token = token;
    }

    <T extends Record> void write(String name, T note) throws IOException {
        byte[] text = JsonText.of(RecordTree.tree(note)).getBytes(StandardCharsets.UTF_8);
        if (text.length + Token.SEAL > Board.MOST_BYTES) {
            throw new IOException(name + " has " + text.length + " bytes, more than a note may have");
        }
        board.put(name, token.sealed(name, text));
    }

    /** The note of that name; empty if there is none, or one without our seal, or one that makes no sense. */
    <T extends Record> Optional<T> read(String name, Class<T> type) throws IOException {
        return text(name).flatMap(text -> readable(text, type));
    }

    /** The text of that note, which is ours; empty if there is none. */
    Optional<byte[]> text(String name) throws IOException {
        Optional<byte[]> note = board.get(name);
        Optional<byte[]> text = note.flatMap(bytes -> token.opened(name, bytes));
        foreign.addAndGet(note.isPresent() && text.isEmpty() ? 1 : 0);
        return text;
    }

    /** What it says; empty if that makes no sense. */
    static <T extends Record> Optional<T> readable(byte[] text, Class<T> type) {
        try {
            return Optional.of(RecordTree.read(type, JsonTree.object(new String(text, StandardCharsets.UTF_8))));
        } catch (IOException garbled) {
            return Optional.empty(); // another version of Downbeat wrote it
        }
    }

    /** How many notes without our seal were seen. */
    long foreign() {
        return foreign.get();
    }

    Board board() {
        return board;
    }

    /** What shards write to each other. Instants are nanoseconds since 1970 by the writer's clock. */
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
         * A shard could begin, or soon can.
         *
         * @param shard its number in the plan
         * @param id of its process: no other has it
         * @param beat counts up: one that stays the same is of a process that is gone
         * @param sentAtNanos when it was written
         * @param clockOf the id of the shard with whose clock it has compared its own; empty before
         */
        record Ready(int shard, String id, long beat, long sentAtNanos, String clockOf) {}

        /**
         * What the leading shard saw, and when, by its clock.
         *
         * @param leader its id
         * @param writtenAtNanos when this was written
         */
        record Clocks(String leader, long writtenAtNanos, List<Seen> seen) {}

        /** Of one shard the latest beat. */
        record Seen(String id, long beat, long seenAtNanos) {}

        /**
         * What the leading shard decided. It holds for those alone whose ids it names: a note of an earlier meeting names nobody.
         *
         * @param why the run does not begin; empty if it does
         * @param startNanos by the leader's clock
         * @param members in the order in which they share the load
         */
        record Agreed(String why, long startNanos, List<Member> members) {}

        /** A shard of the plan and its process. */
        record Member(int shard, String id) {}

        /** These processes are to end with what they have. */
        record Stop(List<String> ids) {}

        /** Where a shard is. */
        enum Phase {
            RUNNING,
            ENDED
        }

        /**
         * How a shard's run stands.
         *
         * @param elapsedNanos since the start; negative before it
         * @param seen all that it counted so far: a note that is lost costs nothing once the next is there
         */
        record State(
                int shard, String id, long beat, Phase phase, long elapsedNanos, Counted.Snapshot seen, Live live) {}
    }
}
