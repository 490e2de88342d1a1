package dev.downbeat.watch.kernel;

import dev.downbeat.watch.sample.EventLog;
import dev.downbeat.watch.sample.Sampler;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventKind;
import java.io.IOException;
import java.util.List;

/** Detects when a process was stopped (SIGSTOP, a debugger, a frozen container). */
final class StoppedSpells implements Sampler {
    private final KernelFile stat;
    private final EventLog log = new EventLog();
    private long lastAt;
    private long stoppedAt;
    private boolean stopped;

    /** A process with its state in a file like /proc/PID/stat. */
    StoppedSpells(KernelFile stat) {
        this.stat = stat;
    }

    @Override
    public void sample(long now) throws IOException {
        char state = stat.letterAfterBracket();
        if (state == 'Z' || state == 'X') {
            throw new IOException("it ended");
        }
        boolean stands = state == 'T' || state == 't';
        if (stands && !stopped) {
            stoppedAt = lastAt == 0 ? now : lastAt + (now - lastAt) / 2;
        } else if (!stands && stopped) {
            add(lastAt + (now - lastAt) / 2);
        }
        stopped = stands;
        lastAt = now;
    }

    private void add(long end) {
        log.add(EventKind.PROCESS_STOPPED, stoppedAt, end - stoppedAt, "");
    }

    @Override
    public List<Event> events() {
        if (stopped) {
            add(lastAt);
            stopped = false;
        }
        return log.events();
    }

    @Override
    public void close() {
        stat.close();
    }
}
