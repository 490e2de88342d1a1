package dev.downbeat.cli.job;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.cli.terminal.Version;
import dev.downbeat.record.Interval;
import dev.downbeat.report.data.RunHead;
import dev.downbeat.report.file.RunJournal;
import dev.downbeat.report.paper.ShellWords;
import dev.downbeat.run.Progress;
import dev.downbeat.selfcheck.MachineProfile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps a journal of a running measurement next to each {@code .downbeat} file that it will be saved to. A full disk
 * ends the journal, not the run. Not thread-safe.
 */
final class Journals {
    private final Console console;
    private final Map<Path, RunJournal> open = new HashMap<>();

    Journals(Console console) {
        this.console = console;
    }

    /**
     * Starts the journals.
     *
     * @throws IOException if that fails, so that the run does not start
     */
    void begin(Job job, MachineProfile machine) throws IOException {
        for (OutputFile file : console.output().files) {
            if (file.kind() == OutputFile.Kind.DOWNBEAT) {
                begin(file, head(job, machine));
            }
        }
    }

    static RunHead head(Job job, MachineProfile machine) {
        Instant now = Instant.now();
        return new RunHead(
                job.plan(),
                job.target().describe(),
                job.plan().start().filter(now::isBefore).orElse(now),
                job.origin().command(),
                job.seed().isEmpty() ? Optional.empty() : Optional.of(job.seed()),
                Version.text(),
                machine,
                job.details(),
                job.slos(),
                job.rigour(),
                job.origin().measurement());
    }

    private void begin(OutputFile file, RunHead head) throws IOException {
        try {
            open.put(file.journal(), RunJournal.begin(file.journal(), head));
        } catch (IOException closed) {
            discardAll();
            throw new IOException("-o " + file.name() + " cannot be written: " + Messages.ofFile(closed), closed);
        }
    }

    /** Records each interval and passes it on. */
    Progress and(Progress other) {
        return interval -> {
            other.interval(interval);
            keep(interval);
        };
    }

    private void keep(Interval interval) {
        for (Iterator<RunJournal> all = open.values().iterator(); all.hasNext(); ) {
            RunJournal journal = all.next();
            try {
                journal.add(interval);
            } catch (IOException full) {
                all.remove();
                console.error("the run goes on, but is kept no longer: " + Messages.ofFile(full)
                        + "; what was kept until " + PlanText.seconds(interval.startNanos())
                        + " can be read: downbeat report "
                        + ShellWords.quoted(journal.path().toString()));
                close(journal);
            }
        }
    }

    private void close(RunJournal journal) {
        try {
            journal.close();
        } catch (IOException broken) {
            console.detail(journal.path() + ": " + Messages.ofFile(broken));
        }
    }

    /** Deletes the journal of a file that has been written. */
    void discard(OutputFile file) throws IOException {
        if (file.kind() != OutputFile.Kind.DOWNBEAT) {
            return;
        }
        RunJournal journal = open.remove(file.journal());
        if (journal != null) {
            journal.discard();
        }
    }

    /** Deletes all journals, if there will be no result. */
    void discardAll() {
        for (RunJournal journal : open.values()) {
            try {
                journal.discard();
            } catch (IOException broken) {
                console.error(journal.path() + " is left: " + Messages.ofFile(broken));
            }
        }
        open.clear();
    }

    /** Where the journal is, if the result could not be written. */
    String left(OutputFile file) {
        return file.kind() == OutputFile.Kind.DOWNBEAT && Files.exists(file.journal())
                ? "; what was kept during the run can be read: downbeat report "
                        + ShellWords.quoted(file.journal().toString())
                : "";
    }
}
