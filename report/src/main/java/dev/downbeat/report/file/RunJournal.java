package dev.downbeat.report.file;

import dev.downbeat.json.JsonText;
import dev.downbeat.record.Interval;
import dev.downbeat.record.IntervalTimeline;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.file.tree.RecordTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The journal of a running measurement, in case the process dies: a line for the plan and one per interval, as JSON
 * with a checksum. Only lines that end in a line feed count, so an incomplete write costs one interval.
 * {@link RunFile#read} reads it.
 *
 * <p>The file survives the death of the process at any time. It is not forced to disk every second, which could disturb
 * the measurement, so a power failure may lose unwritten data. Not thread-safe.
 */
public final class RunJournal implements AutoCloseable {
    /** Above this size, neighbouring intervals are merged, so that a long run's journal stays small. */
    private static final long MOST_BYTES = 32_000_000;

    /** The most request names written with each interval; writing more would disturb the measurement. */
    private static final int MOST_NAMES = 50;

    private final Path path;
    private final String head;
    private final long mostBytes;
    private final Locking locking;
    private final IntervalTimeline timeline = new IntervalTimeline();
    private Recording total = Recording.empty();
    private Recording heldNames = Recording.empty();
    private int heldIntervals;
    private boolean isEmpty = true;
    private FileChannel file;
    private long size;
    private long joinAt;

    private RunJournal(Path path, RunHead head, long mostBytes, Locking locking) throws IOException {
        this.path = path;
        this.mostBytes = mostBytes;
        this.locking = locking;
        this.joinAt = mostBytes;
        Map<String, Object> first = RunFile.plan(head);
        first.put("environment", RecordTree.tree(head.machine()));
        this.head = JsonText.of(first);
        this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        lock();
        while (!Files.exists(path)) { // the run that wrote there has removed it since
            file.close();
            this.file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            lock();
        }
        try {
            file.truncate(0);
            append(this.head);
        } catch (IOException full) {
            discard();
            throw full;
        }
    }

    /**
     * Starts a journal, replacing an older one.
     *
     * @throws Busy if another run is writing it
     * @throws IOException if it cannot be written
     */
    public static RunJournal begin(Path path, RunHead head) throws IOException {
        return begin(path, head, MOST_BYTES, FileChannel::tryLock);
    }

    static RunJournal begin(Path path, RunHead head, long mostBytes, Locking locking) throws IOException {
        return new RunJournal(path, head, mostBytes, locking);
    }

    private void lock() throws IOException {
        try {
            if (locking.tryLock(file) == null) {
                throw new OverlappingFileLockException();
            }
        } catch (OverlappingFileLockException isLocked) { // by another process, or by this one
            file.close();
            throw new Busy(path, isLocked);
        } catch (IOException noLocks) {
            // of this file system, such as Lustre without its option flock: two runs to one file are then not noticed
        }
    }

    /**
     * Adds an interval.
     *
     * @throws IOException if the disk is full; earlier intervals stay readable
     */
    public void add(Interval interval) throws IOException {
        timeline.add(interval);
        total = total.plus(interval.recording());
        append(JsonText.of(RecordTree.tree(withHeldNames(interval))));
        isEmpty = false;
        if (size > joinAt) {
            join();
            joinAt = Math.max(mostBytes, 2 * size);
        }
    }

    /**
     * Adds names held back earlier, a few times a minute with a thousand names. A crash loses the names of the last
     * seconds.
     */
    private Interval withHeldNames(Interval interval) {
        Recording own = interval.recording().withNamesOf(heldNames);
        boolean isHeld = ++heldIntervals * MOST_NAMES < own.byName().size();
        heldNames = isHeld ? Recording.empty().withNames(own.byName()) : Recording.empty();
        heldIntervals = isHeld ? heldIntervals : 0;
        return interval.with(isHeld ? own.withNames(Map.of()) : own);
    }

    private void append(String line) throws IOException {
        byte[] bytes = RunFile.WholeLines.withChecksum(line).getBytes(StandardCharsets.UTF_8);
        try {
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                file.write(rest, size + rest.position());
            }
            size += bytes.length;
        } catch (IOException full) {
            try {
                file.truncate(size);
            } catch (IOException likewise) {
                full.addSuppressed(likewise);
            }
            throw full;
        }
    }

    /** Written to a new file and renamed, so that nothing is lost at any time. */
    private void join() throws IOException {
        Path beside = path.resolveSibling(path.getFileName() + ".new");
        FileChannel before = file;
        long sizeBefore = size;
        try {
            file = FileChannel.open(
                    beside, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
            size = 0;
            append(head);
            append(JsonText.of(soFar(Map.of("recording", RecordTree.tree(total)), List.of())));
            for (Interval interval : timeline.intervals()) { // one by one: all at once would be in memory five times
                append(JsonText.of(soFar(Map.of(), List.of(RecordTree.tree(interval)))));
            }
            lock();
            Files.move(beside, path, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            before.close();
            heldNames = Recording.empty(); // the new file's total and intervals contain these names
            heldIntervals = 0;
        } catch (IOException noSpace) {
            file.close();
            file = before;
            size = sizeBefore;
            Files.deleteIfExists(beside);
            throw noSpace;
        }
    }

    private static Map<String, Object> soFar(Map<String, Object> sum, List<Object> intervals) {
        Map<String, Object> line = new LinkedHashMap<>(sum);
        line.put("intervals", intervals);
        return line;
    }

    /** Whether a run is writing a journal now. */
    public static boolean isBeingWritten(Path journal) {
        try (FileChannel file = FileChannel.open(journal, StandardOpenOption.READ);
                FileLock free = file.tryLock(0, Long.MAX_VALUE, true)) {
            return free == null;
        } catch (OverlappingFileLockException isLocked) {
            return true;
        } catch (IOException closed) {
            return false;
        }
    }

    /** How a file is locked; null if another process has the lock. */
    @FunctionalInterface
    interface Locking {
        @Nullable
        FileLock tryLock(FileChannel file) throws IOException;
    }

    /** Another run is writing the journal. */
    public static final class Busy extends IOException {
        private static final long serialVersionUID = 1L;

        Busy(Path path, OverlappingFileLockException isLocked) {
            super(path + " is being written by another run", isLocked);
        }
    }

    /** Whether no interval was saved. */
    public boolean isEmpty() {
        return isEmpty;
    }

    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    /** Deletes the journal, since the result is saved; while it is locked, since another run may begin there later. */
    public void discard() throws IOException {
        try {
            Files.deleteIfExists(path);
        } finally {
            close();
        }
    }
}
