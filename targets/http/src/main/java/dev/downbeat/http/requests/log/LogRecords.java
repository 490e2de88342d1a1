package dev.downbeat.http.requests.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * The time, request position and name of each line of a log: in memory if few, otherwise in a temporary file that
 * disappears with this process. Written once, sequentially, by one thread; then immutable and thread-safe, except for
 * its cursors.
 */
final class LogRecords implements AutoCloseable {
    static final int MOST_IN_MEMORY = 1 << 16;

    private static final int BYTES = 2 * Long.BYTES + Integer.BYTES;
    private static final int BLOCK = 1 << 12;

    private ByteBuffer unwritten = ByteBuffer.allocate(BLOCK * BYTES);
    private @Nullable FileChannel file;
    private int written;
    private int count;

    void append(long nanos, long place, int name) throws IOException {
        if (count == Integer.MAX_VALUE) {
            throw new IOException("more than " + Integer.MAX_VALUE + " lines");
        }
        if (!unwritten.hasRemaining()) {
            growOrSpill();
        }
        unwritten.putLong(nanos).putLong(place).putInt(name);
        count++;
    }

    private void growOrSpill() throws IOException {
        if (file == null && unwritten.capacity() < MOST_IN_MEMORY * BYTES) {
            unwritten = ByteBuffer.allocate(4 * unwritten.capacity()).put(unwritten.flip());
            return;
        }
        if (file == null) {
            Path path = Files.createTempFile("downbeat-log", null);
            file = FileChannel.open(
                    path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        }
        unwritten.flip();
        written += unwritten.remaining() / BYTES;
        while (unwritten.hasRemaining()) {
            file.write(unwritten);
        }
        unwritten.clear();
    }

    int count() {
        return count;
    }

    boolean areInMemory() {
        return file == null;
    }

    /** A cursor over a range, which reads this many records at a time. */
    Cursor cursor(int from, int until, int batch) {
        return new Cursor(from, until, batch);
    }

    /** Releases the file after the last read. */
    @Override
    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    /** Iterates over records. Not thread-safe. */
    final class Cursor {
        private final ByteBuffer block;
        private int next;
        private int until;
        private long nanos;
        private long place;
        private int name;

        Cursor(int from, int until, int batch) {
            this.block = ByteBuffer.allocateDirect(batch * BYTES).limit(0);
            this.next = from;
            this.until = until;
        }

        /** Moves to a record, to continue from there to the last. */
        void reset(int from) {
            next = from;
            until = count;
            block.limit(0);
        }

        boolean next() {
            if (next >= until) {
                return false;
            }
            if (!block.hasRemaining()) {
                fill();
            }
            nanos = block.getLong();
            place = block.getLong();
            name = block.getInt();
            next++;
            return true;
        }

        private void fill() {
            block.clear();
            if (next < written) {
                block.limit((int) Math.min(block.capacity(), (long) (written - next) * BYTES));
                FileChannel from = file;
                try {
                    while (from != null && block.hasRemaining()) {
                        if (from.read(block, (long) next * BYTES + block.position()) < 0) {
                            throw new IOException("a temporary file was cut off");
                        }
                    }
                } catch (IOException broken) {
                    throw new UncheckedIOException(broken);
                }
            } else {
                int from = (next - written) * BYTES;
                int length = Math.min(block.capacity(), unwritten.position() - from);
                block.put(unwritten.array(), from, length);
            }
            block.flip();
        }

        long nanos() {
            return nanos;
        }

        long place() {
            return place;
        }

        int name() {
            return name;
        }
    }
}
