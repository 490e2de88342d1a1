package dev.downbeat.report.file;

import dev.downbeat.json.JsonText;
import dev.downbeat.record.Course;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.file.tree.RecordTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is kept of a run while it goes on, so that something is left if the process does not see its end: a file with a line
 * for the plan and one for each interval, as JSON and a checksum. A line counts if it ends in a line feed, so a write that did not come to
 * its end costs one interval. {@link RunFile#read} reads it.
 *
 * <p>The file outlives the process at any moment; it is not forced to the disk each second, which could disturb the
 * measurement, so a power cut may cost what the system had not yet written. Not thread-safe.
 */
public final class RunJournal implements AutoCloseable {
    /** Beyond this the lines so far are joined to one, so that a long run's journal stays small. */
    private static final long MOST_BYTES = 32_000_000;

    /** Names are written as soon as there are no more than so many for each interval: who writes more disturbs the measurement. */
    private static final int MOST_NAMES = 50;

    private final Path path;
    private final String head;
    private final long mostBytes;
    private final Course course = new Course();
    private Recording total = Recording.empty();
    private Recording held = Recording.empty();
    private int heldFor;
    private FileChannel file;
    private long size;
    private long joinAt;

    private RunJournal(Path path, RunHead head, long mostBytes) throws IOException {
        this.path = path;
        this.mostBytes = mostBytes;
        this.joinAt = mostBytes;
        Map<String, Object> first = RunFile.plan(head);
        first.put("environment", RecordTree.tree(head.machine()));
        this.head = JsonText.of(first);
        this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        lock();
        try {
            file.truncate(0);
            append(this.head);
        } catch (IOException full) {
            discard();
            throw full;
        }
    }

    /**
     * Begins a journal; an older one in its place is lost.
     *
     * @throws IOException if it cannot be written, or another process writes it now
     */
    public static RunJournal begin(Path path, RunHead head) throws IOException {
        return new RunJournal(path, head, MOST_BYTES);
    }

    static RunJournal begin(Path path, RunHead head, long mostBytes) throws IOException {
        return new RunJournal(path, head, mostBytes);
    }

    private void lock() throws IOException {
        try {
            if (file.tryLock() != null) {
                return;
            }
        } catch (OverlappingFileLockException ours) {
            // the same: somebody else's
        }
        file.close();
        throw new IOException(path + " is being written by another run");
    }

    /**
     * Keeps an interval.
     *
     * @throws IOException if there is no space for it; what was kept before stays readable
     */
    public void add(Interval interval) throws IOException {
        course.add(interval);
        total = total.plus(interval.recording());
        append(JsonText.of(RecordTree.tree(withHeldNames(interval))));
        if (size > joinAt) {
            join();
            joinAt = Math.max(mostBytes, 2 * size);
        }
    }

    /** A few times a minute if there are a thousand: what is lost with the process is the names of the last seconds. */
    private Interval withHeldNames(Interval interval) {
        Recording own = interval.recording().withNamesOf(held);
        boolean isHeld = ++heldFor * MOST_NAMES < own.byName().size();
        held = isHeld ? Recording.empty().withNames(own.byName()) : Recording.empty();
        heldFor = isHeld ? heldFor : 0;
        return interval.with(isHeld ? own.withNames(Map.of()) : own);
    }

    private void append(String line) throws IOException {
        byte[] bytes = WholeLines.sealed(line).getBytes(StandardCharsets.UTF_8);
        try {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                file.write(rest, size + rest.position());
            }
            size += bytes.length;
        } catch (IOException full) {
            file.truncate(size);
            throw full;
        }
    }

    /** Written beside and renamed: at no moment there is less than before. */
    private void join() throws IOException {
        Map<String, Object> soFar = new LinkedHashMap<>();
        soFar.put("recording", RecordTree.tree(total));
        soFar.put("intervals", RecordTree.tree(course.intervals()));
        Path beside = path.resolveSibling(path.getFileName() + ".new");
        FileChannel before = file;
        long sizeBefore = size;
        try {
            file = FileChannel.open(
                    beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            size = 0;
            append(head);
            append(JsonText.of(soFar));
            lock();
            Files.move(beside, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            before.close();
        } catch (IOException noSpace) {
            file.close();
            file = before;
            size = sizeBefore;
            Files.deleteIfExists(beside);
            throw noSpace;
        }
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** Removes it: there is something better now. */
    public void discard() throws IOException {
        close();
        Files.deleteIfExists(path);
    }
}
