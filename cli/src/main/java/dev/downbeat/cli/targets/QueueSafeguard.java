package dev.downbeat.cli.targets;

import dev.downbeat.cli.console.Console;
import dev.downbeat.cli.console.NoMeasurement;
import dev.downbeat.cli.measurement.ClientOptions;
import dev.downbeat.cli.measurement.Measurement;
import dev.downbeat.cli.measurement.QueueOptions;
import dev.downbeat.cli.measurement.option.Messages;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.report.file.Folders;
import dev.downbeat.report.render.ShellWords;
import dev.downbeat.run.RunPlan;
import dev.downbeat.sqs.account.SqsAccount;
import dev.downbeat.sqs.account.SqsAccount.QueueSurvey;
import dev.downbeat.sqs.account.SqsAccount.TopicSurvey;
import dev.downbeat.sqs.message.ForeignMessages;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.stats.Numbers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run on a queue. Before it begins it describes the queue, its content, what will be done, and the possible cost.
 * Unless the queue is declared the user's own, it sends nothing to a queue at Amazon and receives nothing that may
 * belong to others. It removes a queue that it created.
 */
public final class QueueSafeguard implements AutoCloseable {
    private static final String FIFO = ".fifo";
    private static final int LONGEST_NAME = 80;

    private final Console console;
    private final SqsAccount account;
    private final ClientOptions asking;
    private final @Nullable MadeQueue made;

    private QueueSafeguard(Console console, SqsAccount account, ClientOptions asking, @Nullable MadeQueue made) {
        this.console = console;
        this.account = account;
        this.asking = asking;
        this.made = made;
    }

    /**
     * The requests that a command will send to a target.
     *
     * @param target the queue, or any other target
     * @param asking the common options, which describe the queue
     * @param variants the options of each variant
     * @param requests most requests of each variant; empty if unlimited
     * @param isWhole whether no other shard may have begun, whose messages are Downbeat's own
     */
    public record Work(
            String target,
            ClientOptions asking,
            List<ClientOptions> variants,
            Optional<Long> requests,
            boolean isWhole) {
        /** Work without variants. */
        public static Work of(String target, ClientOptions asking, Optional<Long> requests) {
            return new Work(target, asking, List.of(asking), requests, true);
        }

        /** Work of a plan in slices. Only the queue's jar knows its requests, and it must be present only for queues. */
        public static Work of(String target, ClientOptions asking, RunPlan plan, int slices) {
            return of(
                    target,
                    asking,
                    QueueOptions.isQueue(target) ? QueueTargets.requests(plan, slices) : Optional.empty());
        }

        /** Equal for the same queue. */
        private List<Object> place() {
            return List.of(target, asking.queue().endpoint(), asking.queue().region());
        }
    }

    /** Checks the queues of variants that differ in more than options from the command's, which is checked already. */
    public static void checkOthers(Work command, List<Work> variants, Console console) throws IOException {
        Set<List<Object>> checked = new HashSet<>(Set.of(command.place()));
        for (Work one : variants) {
            if (checked.add(one.place()) && !one.asking().queue().isDemo(one.target())) {
                check(one, console);
            }
        }
    }

    /** Checks a target for commands with several runs, each of which would create a queue or schema of its own. */
    public static void check(Work work, Console console) throws IOException {
        Refusal.when(work.asking().queue().create(), "--create works only with run");
        if (QueueOptions.isQueue(work.target())) {
            SqsAccount account = new SqsAccount(QueueTargets.options(work.asking()));
            inspect(work, account, console);
        }
    }

    /**
     * Inspects and describes the queue, and creates one if requested.
     *
     * @throws picocli.CommandLine.TypeConversionException if the queue may contain messages of others
     * @throws IOException if the queue does not exist or cannot be created
     */
    public static QueueSafeguard begin(Work work, Console console) throws IOException {
        ClientOptions asking = work.asking();
        MadeQueue.leftovers().forEach(console::note);
        SqsAccount account = new SqsAccount(QueueTargets.options(asking));
        if (!asking.queue().create()) {
            inspect(work, account, console);
            return new QueueSafeguard(console, account, asking, null);
        }
        MadeQueue made = make(QueueOptions.queue(work.target()), asking, account, console);
        console.note("made " + made.url());
        QueueSafeguard safeguard = new QueueSafeguard(console, account, asking, made);
        try {
            QueueScreen.lines(account.survey(made.url()), work).forEach(console::note);
            return safeguard;
        } catch (IOException gone) {
            safeguard.close();
            throw gone;
        }
    }

    private static void inspect(Work work, SqsAccount account, Console console) throws IOException {
        QueueSurvey survey;
        try {
            survey = account.survey(QueueOptions.queue(work.target()));
        } catch (IOException absent) {
            throw new NoMeasurement(absent);
        }
        QueueOptions use = work.asking().queue();
        boolean refused =
                !use.queueIsMine() && (survey.isAmazon() || use.receives() && survey.mayHoldMessagesOfOthers());
        QueueScreen.lines(survey, work).forEach(refused ? console::error : console::note);
        Refusal.when(refused, QueueScreen.refusal(survey, use));
        Refusal.when(work.isWhole() && hides(survey, use) && survey.isReceivedOnce(), ForeignMessages.RECEIVED_ONCE);
        survey.topic().ifPresent(topic -> check(topic, use));
    }

    /** Whether messages of others are hidden while the run lasts. */
    private static boolean hides(QueueSurvey survey, QueueOptions use) {
        return switch (use.operation()) {
            case SEND, SEND_BATCH -> false;
            case RECEIVE -> !use.deleteReceived() && survey.deadLetters().isPresent();
            case DELETE, DELIVERY -> true;
        };
    }

    private static void check(TopicSurvey topic, QueueOptions use) {
        Refusal.when(
                topic.arrival() == TopicSurvey.Arrival.NEVER,
                "the topic " + topic.name() + " does not deliver to this queue: subscribe it, or give the queue that is"
                        + " subscribed");
        Refusal.when(
                topic.mayReachOthers() && !use.topicIsMine(),
                "--through publishes to " + topic.name() + ", and "
                        + (topic.others() < 0
                                ? "its other subscribers are unknown"
                                : Numbers.count(topic.others(), "other subscription") + " would get the messages too")
                        + ": add --topic-is-mine to allow it");
    }

    private static MadeQueue make(String wanted, ClientOptions asking, SqsAccount account, Console console)
            throws IOException {
        QueueOptions use = asking.queue();
        Refusal.when(wanted.contains("/"), "--create needs a name, such as sqs:orders, not a URL");
        byte[] random = new byte[4];
        new SecureRandom().nextBytes(random);
        boolean isFifo = wanted.endsWith(FIFO);
        String base = "downbeat-" + (isFifo ? wanted.substring(0, wanted.length() - FIFO.length()) : wanted);
        String end = "-" + HexFormat.of().formatHex(random) + (isFifo ? FIFO : "");
        String name = base.substring(0, Math.min(base.length(), LONGEST_NAME - end.length())) + end;
        MadeQueue made = MadeQueue.of(name, use);
        boolean isNoted = note(made, console); // before it is created, since it may exist from then on
        try {
            MadeQueue created = made.at(account.create(new SqsAccount.NewQueue(
                    name,
                    use.encrypted(),
                    use.visibility(),
                    isFifo ? use.delay() : Duration.ZERO,
                    Map.of(
                            "downbeat",
                            "made by a run: remove it when no run needs it any more",
                            "downbeat-made",
                            Instant.now().truncatedTo(ChronoUnit.SECONDS).toString()))));
            if (isNoted) {
                note(created, console);
            }
            return created;
        } catch (IOException refused) {
            if (!SqsAccount.mayHaveSucceeded(refused)) {
                made.forget();
            }
            throw new NoMeasurement(refused);
        }
    }

    /** Records the queue, so that the next run finds it if this process is killed; false, with a message, on failure. */
    private static boolean note(MadeQueue made, Console console) {
        try {
            made.note();
            return true;
        } catch (IOException closed) {
            console.error("the queue's name could not be recorded (" + Messages.of(closed)
                    + "): if this run is killed, remove the queue " + made.name() + " yourself");
            return false;
        }
    }

    /** The measurement, of the created queue if there is one. */
    public Measurement of(Measurement given) {
        if (made == null) {
            return given;
        }
        Measurement measurement = given.of(made.url());
        for (String option : List.of("--clean-up", "--encrypted", "--create")) {
            measurement = Values.with(measurement, option);
        }
        if (made.url().endsWith(FIFO)) {
            measurement = Values.with(measurement, "--delay"); // the queue has it
        }
        return measurement;
    }

    /** Removes the created queue, or says where it is. */
    @Override
    public void close() {
        if (made == null) {
            return;
        }
        if (!asking.queue().cleanUp()) {
            made.forget();
            console.note(made.url() + " stays: " + made.removal());
            return;
        }
        try {
            account.delete(made.url());
            made.forget();
            console.note("removed " + made.url());
        } catch (IOException refused) {
            console.error(Messages.of(refused) + ". To remove it: " + made.removal());
        }
    }

    /**
     * A queue created by a run of this user. A file records it until the queue is removed, so that the next run finds
     * queues of killed runs. Several machines or containers may share the files.
     *
     * @param name name of the queue
     * @param url its URL; the name until the URL is known
     * @param pid process that created it
     * @param since time of its creation
     * @param place options of the AWS command line for where it is
     * @param host where the process runs, see {@link #processSpace()}
     */
    private record MadeQueue(String name, String url, long pid, Instant since, String place, String host) {
        private static final String SEPARATOR = "\t";
        private static final int FIELDS = 6;
        private static final Duration CLOCK_STEP = Duration.ofMinutes(1);

        static MadeQueue of(String name, QueueOptions use) {
            String endpoint = use.endpoint()
                    .map(uri -> " --endpoint-url " + ShellWords.quoted(uri.toString()))
                    .orElse("");
            String region =
                    use.region().map(id -> " --region " + ShellWords.quoted(id)).orElse("");
            return new MadeQueue(
                    name,
                    name,
                    ProcessHandle.current().pid(),
                    Instant.now().truncatedTo(ChronoUnit.SECONDS),
                    endpoint + region,
                    processSpace());
        }

        MadeQueue at(String knownUrl) {
            return new MadeQueue(name, knownUrl, pid, since, place, host);
        }

        /** The folder of the records, which need not exist. */
        private static Path folder() throws IOException {
            String state = System.getenv()
                    .getOrDefault("XDG_STATE_HOME", System.getenv().getOrDefault("LOCALAPPDATA", ""));
            String home = System.getenv().getOrDefault("HOME", "");
            if (state.isEmpty() && home.isEmpty()) {
                throw new IOException("HOME is not set");
            }
            try {
                Path states = state.isEmpty() ? Path.of(home, ".local", "state") : Path.of(state);
                return states.resolve("downbeat").resolve("queues");
            } catch (InvalidPathException undecoded) { // the locale C has no names beyond ASCII
                throw new IOException(undecoded.getMessage(), undecoded);
            }
        }

        void note() throws IOException {
            Folders.create(folder());
            Files.writeString(
                    folder().resolve(name),
                    String.join(SEPARATOR, name, url, Long.toString(pid), since.toString(), place, host) + "\n");
        }

        /** Deletes the record: the queue is removed, or meant to stay. */
        void forget() {
            try {
                Files.deleteIfExists(folder().resolve(name));
            } catch (IOException undeletable) {
                // the next run reports a queue that no longer exists
            }
        }

        /** A line for each queue that an ended run did not remove. */
        static List<String> leftovers() {
            List<String> left = new ArrayList<>();
            try (Stream<Path> notes = Files.list(folder())) {
                for (Path note : notes.sorted().toList()) {
                    read(note)
                            .filter(made -> !made.isHere() || made.isOver())
                            .ifPresent(made -> left.add(made.message(note)));
                }
            } catch (IOException unreadable) {
                return left; // usually there are none
            }
            return left;
        }

        /** The queue of a note; empty if the note is damaged, or has just been removed by its own run. */
        private static Optional<MadeQueue> read(Path note) {
            try {
                String[] fields = Files.readString(note).stripTrailing().split(SEPARATOR, -1);
                return fields.length == FIELDS
                        ? Optional.of(new MadeQueue(
                                fields[0],
                                fields[1],
                                Long.parseLong(fields[2]),
                                Instant.parse(fields[3]),
                                fields[4],
                                fields[5]))
                        : Optional.empty();
            } catch (IOException | NumberFormatException | DateTimeParseException damaged) {
                return Optional.empty();
            }
        }

        /** Where process ids are unique: host, boot and container, as far as known. */
        private static String processSpace() {
            try {
                return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip() + " "
                        + Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                                .strip() + " "
                        + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
            } catch (IOException isNoLinux) {
                return System.getenv().getOrDefault("COMPUTERNAME", "this machine");
            }
        }

        private boolean isHere() {
            return host.equals(processSpace());
        }

        /** Whether its process has ended. A process with its id that started after the queue was made is another. */
        private boolean isOver() {
            return ProcessHandle.of(pid)
                    .filter(process -> process.info()
                            .startInstant()
                            .filter(start -> start.isAfter(since.plus(CLOCK_STEP)))
                            .isEmpty())
                    .isEmpty();
        }

        private String message(Path note) {
            return "an earlier run left a queue behind: " + url + " (created " + since + " by process " + pid
                    + (isHere()
                            ? ", which no longer runs). To remove it: "
                            : " on " + host.split(" ", 2)[0] + "). If that run has ended: ")
                    + removal() + " && rm "
                    + ShellWords.quoted(note.toString());
        }

        String removal() {
            return "aws sqs delete-queue --queue-url " + ShellWords.quoted(url) + place;
        }
    }

    /** Describes a queue before a run: its owner, its content, what the run will do, and what that may cost. */
    private static final class QueueScreen {
        /**
         * Dollars per million requests in us-east-1 without the free tier (https://aws.amazon.com/sqs/pricing and
         * .../sns/pricing), from third-party price lists of June 2026. Deliveries from a topic to a queue are free.
         */
        private static final double STANDARD_PRICE = 0.40;

        private static final double FIFO_PRICE = 0.50;
        private static final double TOPIC_PRICE = 0.50;
        private static final String PRICE_DATE = "June 2026";
        private static final long MILLION = 1_000_000;
        private static final int BYTES_OF_A_REQUEST = 64 * 1024;

        private QueueScreen() {}

        static List<String> lines(QueueSurvey survey, Work work) throws IOException {
            QueueOptions use = work.asking().queue();
            List<Volume> volumes = new ArrayList<>();
            for (ClientOptions asking : work.variants()) {
                volumes.add(Volume.of(
                        work.requests().orElse(MILLION),
                        QueueTargets.options(asking).message(),
                        asking.queue()));
            }
            List<String> lines = new ArrayList<>();
            lines.add("queue: " + survey.name() + " in " + survey.where()
                    + survey.account().map(account -> ", account " + account).orElse("")
                    + (survey.isAmazon() ? " (AWS, billed)" : " (not AWS, not billed)"));
            lines.add("messages: "
                    + survey.contents().map(QueueScreen::contents).orElse("unknown: GetQueueAttributes was refused")
                    + survey.deadLetters().map(QueueScreen::deadLetters).orElse(", no dead-letter queue"));
            survey.topic().ifPresent(topic -> lines.add("topic: " + topic(topic)));
            boolean deletesAll = use.queueIsMine() && use.deleteReceived();
            lines.add("this run: " + use.operationText()
                    + (deletesAll ? " (deletes every message it gets, whoever sent it), " : ", ")
                    + text(survey, volumes, use, work.requests().isPresent())
                    + (hides(survey, use) ? hiding(survey) : ""));
            lines.add("needs: " + String.join(", ", actions(use)));
            return lines;
        }

        private static String hiding(QueueSurvey survey) {
            long visible = survey.contents().map(QueueSurvey.Contents::visible).orElse(0L);
            return visible == 0
                    ? ""
                    : PlanText.format(
                            "; up to %,d more a minute to hide visible messages",
                            ForeignMessages.requestsPerMinute(visible));
        }

        private static String contents(QueueSurvey.Contents contents) {
            return PlanText.format(
                    "%,d visible, %,d in flight, %,d delayed",
                    contents.visible(), contents.inFlight(), contents.delayed());
        }

        private static String deadLetters(QueueSurvey.DeadLetters letters) {
            return PlanText.format(
                    "; after %d receives to %s%s",
                    letters.after(),
                    letters.name(),
                    letters.messages()
                            .map(count -> PlanText.format(", which holds %,d", count))
                            .orElse(""));
        }

        private static String topic(TopicSurvey topic) {
            String how = switch (topic.arrival()) {
                case RAW -> "delivers raw to this queue";
                case WRAPPED -> "delivers wrapped to this queue";
                case SOMEHOW -> "delivers to this queue";
                case NEVER -> "does not deliver to this queue";
                case UNKNOWN -> "whether it delivers to this queue is unknown: ListSubscriptionsByTopic was refused";
            };
            return topic.name() + ", " + how
                    + (topic.others() < 0 ? "" : ", " + Numbers.count(topic.others(), "other subscription"));
        }

        private static String text(QueueSurvey survey, List<Volume> volumes, QueueOptions use, boolean isLimited) {
            if (!isLimited) {
                Volume most = Collections.max(volumes, Comparator.comparingLong(Volume::billed));
                String price = survey.isAmazon() ? cost(survey, use, most) + " for each million" : "";
                return "requests without a limit" + price
                        + (use.receives() ? "" : ", and their messages stay in the queue");
            }
            Volume volume = volumes.stream().reduce(Volume::plus).orElseThrow();
            String left = use.receives()
                    ? ""
                    : volume.messages() == 1
                            ? ", 1 message stays in the queue"
                            : PlanText.format(", %,d messages stay in the queue", volume.messages());
            return PlanText.format("up to %s, %,d in all", Numbers.count(volume.requests(), "request"), volume.billed())
                    + (survey.isAmazon() ? cost(survey, use, volume) : "")
                    + left;
        }

        /**
         * An upper bound of what is billed: sends and receives by size, deletions singly.
         *
         * @param requests measured requests
         * @param messages messages they send
         * @param sends billed requests of the operation, with all attempts
         * @param extra at worst one receive and one deletion per message
         */
        private record Volume(long requests, long messages, long sends, long extra) {
            static Volume of(long requests, SqsOptions.SqsMessageOptions message, QueueOptions use) {
                long each = use.operation() == QueueOptions.OperationKind.SEND_BATCH ? use.batchSize() : 1;
                long attempts = requests * (1 + use.retries());
                long sent = billed(message.bytes() * each);
                return switch (use.operation()) {
                    case SEND, SEND_BATCH -> new Volume(requests, requests * each, attempts * sent, 0);
                    case RECEIVE -> new Volume(requests, requests, attempts, use.deleteReceived() ? requests : 0);
                    case DELETE -> {
                        long batch = billed((long) message.bytes() * message.perBatch());
                        yield new Volume(requests, requests, attempts, 2 * (requests / message.perBatch() + 1) * batch);
                    }
                    case DELIVERY -> new Volume(requests, requests, attempts * sent, requests * (sent + 1));
                };
            }

            long billed() {
                return sends + extra;
            }

            Volume plus(Volume other) {
                return new Volume(
                        requests + other.requests, messages + other.messages, sends + other.sends, extra + other.extra);
            }

            private static long billed(long bytes) {
                return (bytes + BYTES_OF_A_REQUEST - 1) / BYTES_OF_A_REQUEST;
            }
        }

        private static String cost(QueueSurvey survey, QueueOptions use, Volume volume) {
            double price = survey.isFifo() ? FIFO_PRICE : STANDARD_PRICE;
            boolean isThrough = use.through().isPresent();
            double dollars = (volume.sends() * (isThrough ? TOPIC_PRICE : price) + volume.extra() * price) / 1e6;
            return PlanText.format(
                    ", about $%.4f at $%.2f a million%s (list price of us-east-1, %s)",
                    dollars,
                    price,
                    isThrough ? PlanText.format(" and $%.2f a million published", TOPIC_PRICE) : "",
                    PRICE_DATE);
        }

        private static List<String> actions(QueueOptions use) {
            List<String> actions = new ArrayList<>(List.of("sqs:GetQueueUrl", "sqs:GetQueueAttributes"));
            if (use.operation() != QueueOptions.OperationKind.RECEIVE) {
                actions.add(use.through().isPresent() ? "sns:Publish" : "sqs:SendMessage");
            }
            if (use.receives()) {
                actions.addAll(List.of("sqs:ReceiveMessage", "sqs:ChangeMessageVisibility"));
            }
            if (use.operation() == QueueOptions.OperationKind.DELETE
                    || use.operation() == QueueOptions.OperationKind.DELIVERY
                    || use.deleteReceived()) {
                actions.add("sqs:DeleteMessage");
            }
            if (use.create()) {
                actions.addAll(List.of("sqs:CreateQueue", "sqs:TagQueue"));
            }
            if (use.through().isPresent()) {
                actions.addAll(List.of("sns:ListSubscriptionsByTopic", "sns:GetSubscriptionAttributes"));
            }
            if (use.cleanUp()) {
                actions.add("sqs:DeleteQueue");
            }
            return actions;
        }

        static String refusal(QueueSurvey survey, QueueOptions use) {
            String does = use.receives() ? " removes messages from " : " adds messages to ";
            String why =
                    survey.contents().filter(contents -> contents.all() > 0).isPresent() && use.receives()
                            ? "it is not empty"
                            : survey.isAmazon()
                                    ? use.receives()
                                            ? "it is on AWS"
                                            : "it is on AWS, where its consumers would receive them"
                                    : "it is unknown whether it is empty";
            return "--operation " + use.operationText() + does + survey.name() + ", and " + why
                    + ": add --queue-is-mine to allow it, or use a separate queue (run --create makes one)";
        }
    }
}
