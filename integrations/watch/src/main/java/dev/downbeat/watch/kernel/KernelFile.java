package dev.downbeat.watch.kernel;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** A kernel file, kept open and read repeatedly: the kernel generates its text at each read. Used by one thread. */
public final class KernelFile implements AutoCloseable {
    private static final int MOST_BYTES = 1 << 15;

    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(MOST_BYTES);

    private KernelFile(FileChannel channel) {
        this.channel = channel;
    }

    static KernelFile open(Path path) throws IOException {
        return new KernelFile(FileChannel.open(path));
    }

    public static boolean isThere(Path path) {
        return Files.isReadable(path);
    }

    /** Rereads the file, up to 32 kB. */
    private void read() throws IOException {
        buffer.clear();
        int got;
        do {
            got = channel.read(buffer, buffer.position());
        } while (got > 0 && buffer.hasRemaining());
        buffer.flip();
    }

    /**
     * The number after a word at the start of a line, such as {@code nr_throttled 7} or, after the word {@code some},
     * the number after {@code total=}; -1 if absent.
     */
    long after(String line, String word) throws IOException {
        read();
        int at = line.isEmpty() ? 0 : find(line, 0, true);
        if (at < 0) {
            return -1;
        }
        int from = word.isEmpty() ? at + line.length() : find(word, at, false);
        if (from < 0) {
            return -1;
        }
        return number(word.isEmpty() ? from : from + word.length());
    }

    /** The n-th number, from 0, of the first line outside brackets; -1 if there are fewer. */
    long nth(int n) throws IOException {
        read();
        return number(skip(0, n));
    }

    /** The letter after the last closing bracket, as the state in /proc/PID/stat; a blank if absent. */
    char letterAfterBracket() throws IOException {
        read();
        for (int i = buffer.limit() - 1; i >= 0; i--) {
            if (buffer.get(i) == ')') {
                return i + 2 < buffer.limit() ? (char) buffer.get(i + 2) : ' ';
            }
        }
        return ' ';
    }

    /** A value in a table with one line of names followed by one line of numbers; -1 if absent. */
    long ofTable(String table, String name) throws IOException {
        read();
        int names = find(table, 0, true);
        int numbers = names < 0 ? -1 : find(table, names + 1, true);
        if (numbers < 0) {
            return -1;
        }
        int column = 0;
        int at = names;
        while (at < numbers) {
            int end = at;
            while (end < numbers && buffer.get(end) > ' ') {
                end++;
            }
            if (matches(name, at) && end - at == name.length()) {
                return number(skip(numbers, column));
            }
            column++;
            at = end;
            while (at < numbers && buffer.get(at) <= ' ') {
                at++;
            }
        }
        return -1;
    }

    private int skip(int from, int words) {
        int at = from;
        for (int i = 0; i < words; i++) {
            while (at < buffer.limit() && buffer.get(at) > ' ') {
                at++;
            }
            while (at < buffer.limit() && buffer.get(at) <= ' ') {
                at++;
            }
        }
        return at;
    }

    private int find(String word, int from, boolean beginsLine) {
        for (int at = from; at + word.length() <= buffer.limit(); at++) {
            boolean begins = at == 0 || buffer.get(at - 1) == '\n';
            boolean ends = at + word.length() == buffer.limit() || !beginsLine || buffer.get(at + word.length()) <= ' ';
            if ((begins || !beginsLine) && ends && matches(word, at)) {
                return at;
            }
            if (!beginsLine && buffer.get(at) == '\n') {
                return -1; // of this line
            }
        }
        return -1;
    }

    private boolean matches(String word, int at) {
        if (at + word.length() > buffer.limit()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            if (buffer.get(at + i) != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private long number(int from) {
        int at = from;
        while (at < buffer.limit() && (buffer.get(at) == ' ' || buffer.get(at) == '\t')) {
            at++;
        }
        long value = 0;
        int digits = 0;
        while (at < buffer.limit() && buffer.get(at) >= '0' && buffer.get(at) <= '9') {
            value = 10 * value + buffer.get(at++) - '0';
            digits++;
        }
        return digits == 0 ? -1 : value;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException gone) { // ended with its process
        }
    }
}
