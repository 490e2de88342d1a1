package dev.downbeat.cli.meet;

import dev.downbeat.json.JsonText;
import dev.downbeat.report.file.tree.JsonTree;
import dev.downbeat.report.file.tree.RecordTree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
}
