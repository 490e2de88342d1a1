package dev.downbeat.cli.queue;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.Errors;
import dev.downbeat.cli.measurement.Asking;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.QueueUse;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.measurement.value.Messages;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.sqs.account.SqsAccount;
import dev.downbeat.sqs.account.SqsAccount.QueueSurvey;
import dev.downbeat.sqs.account.SqsAccount.TopicSurvey;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run on a queue. Before it begins it describes the queue, its content, what will be done, and the possible cost.
 * Unless the queue is declared the user's own, it sends nothing to a queue at Amazon and receives nothing that may
 * belong to others. It removes a queue that it created.
 */
public final class QueueVisit implements AutoCloseable {
    private static final String FIFO = ".fifo";
    private static final int LONGEST_NAME = 80;

    private final Console console;
    private final SqsAccount account;
    private final Asking asking;
    private final @Nullable MadeQueue made;

    private QueueVisit(Console console, SqsAccount account, Asking asking, @Nullable MadeQueue made) {
        this.console = console;
        this.account = account;
        this.asking = asking;
        this.made = made;
    }

    /**
     * Checks a target for commands with several runs, none of which creates a queue.
     *
     * @param requests most requests of all runs; empty if unlimited
     */
    public static void check(String target, Asking asking, Optional<Long> requests, Console console)
            throws IOException {
        if (QueueUse.isQueue(target)) {
            Refusal.when(asking.queue().create(), "--create goes with run only");
            SqsAccount account = new SqsAccount(QueueTargets.options(asking, 1).build());
            look(target, asking, requests, account, console);
        }
    }

    /**
     * Inspects and describes the queue, and creates one if requested.
     *
     * @param requests most requests of the run; empty if unlimited
     * @throws picocli.CommandLine.TypeConversionException if the queue may contain messages of others
     * @throws IOException if the queue does not exist or cannot be created
     */
    public static QueueVisit begin(String target, Asking asking, Optional<Long> requests, Console console)
            throws IOException {
        MadeQueue.leftovers().forEach(left -> console.note(left.words(asking)));
        SqsAccount account = new SqsAccount(QueueTargets.options(asking, 1).build());
        if (!asking.queue().create()) {
            look(target, asking, requests, account, console);
            return new QueueVisit(console, account, asking, null);
        }
        MadeQueue made = make(QueueUse.queue(target), asking.queue(), account);
        console.note("made " + made.url());
        QueueVisit visit = new QueueVisit(console, account, asking, made);
        try {
            say(account.survey(made.url()), asking.queue(), requests, console);
            return visit;
        } catch (IOException gone) {
            visit.close();
            throw gone;
        }
    }

    private static void look(String target, Asking asking, Optional<Long> requests, SqsAccount account, Console console)
            throws IOException {
        QueueSurvey survey;
        try {
            survey = account.survey(QueueUse.queue(target));
        } catch (IOException absent) {
            throw Errors.nothing(absent);
        }
        QueueUse use = asking.queue();
        boolean refused =
                !use.queueIsMine() && (survey.isAmazon() || use.receives() && survey.mayHoldMessagesOfOthers());
        if (refused) {
            QueueScreen.lines(survey, use, requests).forEach(console::error);
        } else {
            say(survey, use, requests, console);
        }
        Refusal.when(refused, QueueScreen.refusal(survey, use));
        survey.topic().ifPresent(topic -> check(topic, use));
    }

    private static void check(TopicSurvey topic, QueueUse use) {
        Refusal.when(
                topic.arrival() == TopicSurvey.Arrival.NEVER,
                "the topic " + topic.name() + " does not deliver to this queue: subscribe it, or give the queue that is"
                        + " subscribed");
        Refusal.when(
                topic.mayReachOthers() && !use.topicIsMine(),
                "--through publishes to " + topic.name() + ", and "
                        + (topic.others() < 0
                                ? "its other subscribers are unknown"
                                : topic.others() + " other subscription" + (topic.others() == 1 ? "" : "s")
                                        + " would get the messages too")
                        + ": add --topic-is-mine to allow it");
    }

    private static void say(QueueSurvey survey, QueueUse use, Optional<Long> requests, Console console) {
        QueueScreen.lines(survey, use, requests).forEach(console::note);
    }

    private static MadeQueue make(String wanted, QueueUse use, SqsAccount account) throws IOException {
        Refusal.when(wanted.contains("/"), "--create needs a name, such as sqs:orders, and no URL");
        byte[] random = new byte[4];
        new SecureRandom().nextBytes(random);
        boolean isFifo = wanted.endsWith(FIFO);
        String base = "downbeat-" + (isFifo ? wanted.substring(0, wanted.length() - FIFO.length()) : wanted);
        String end = "-" + HexFormat.of().formatHex(random) + (isFifo ? FIFO : "");
        String name = base.substring(0, Math.min(base.length(), LONGEST_NAME - end.length())) + end;
        MadeQueue made = MadeQueue.begin(name);
        try {
            return made.at(account.create(new SqsAccount.NewQueue(
                    name,
                    use.encrypted(),
                    use.visibility(),
                    isFifo ? use.delay() : java.time.Duration.ZERO,
                    Map.of(
                            "downbeat",
                            "made by a run: remove it when no run needs it any more",
                            "downbeat-made",
                            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString()))));
        } catch (IOException refused) {
            made.forget();
            throw Errors.nothing(refused);
        }
    }

    /** The measurement, of the created queue if there is one. */
    public Measurement of(Measurement given) {
        if (made == null) {
            return given;
        }
        Measurement there = given.of(made.url());
        for (String option : List.of("--clean-up", "--encrypted", "--create")) {
            there = Values.with(there, option);
        }
        if (made.url().endsWith(FIFO)) {
            there = Values.with(there, "--delay"); // the queue has it
        }
        return there;
    }

    /** Removes the created queue, or says where it is. */
    @Override
    public void close() {
        if (made == null) {
            return;
        }
        if (!asking.queue().cleanUp()) {
            made.forget();
            console.note(made.url() + " stays: " + made.removal(asking));
            return;
        }
        try {
            account.delete(made.url());
            made.forget();
            console.note("removed " + made.url());
        } catch (IOException refused) {
            console.error(Messages.of(refused) + ". To remove it: " + made.removal(asking));
        }
    }
}
