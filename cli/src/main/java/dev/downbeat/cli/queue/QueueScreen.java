package dev.downbeat.cli.queue;

import dev.downbeat.cli.measurement.QueueUse;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.sqs.account.SqsAccount.QueueSurvey;
import dev.downbeat.sqs.account.SqsAccount.TopicSurvey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Describes a queue before a run: its owner, its content, what the run will do, and what that may cost. */
final class QueueScreen {
    /**
     * Dollars per million requests in us-east-1 without the free tier (https://aws.amazon.com/sqs/pricing and
     * .../sns/pricing), from third-party price lists of June 2026. Deliveries from a topic to a queue are free.
     */
    private static final double STANDARD_PRICE = 0.40;

    private static final double FIFO_PRICE = 0.50;
    private static final double TOPIC_PRICE = 0.50;
    private static final String PRICE_DATE = "June 2026";
    private static final long MILLION = 1_000_000;
    private static final int LARGEST_BATCH = 10;
    private static final int BYTES_OF_A_REQUEST = 64 * 1024;
    private static final int USUAL_BYTES = 1024;

    private QueueScreen() {}

    static List<String> lines(QueueSurvey survey, QueueUse use, Optional<Long> requests) {
        List<String> lines = new ArrayList<>();
        lines.add("queue: " + survey.name() + " in " + survey.where()
                + survey.account().map(account -> ", account " + account).orElse("")
                + (survey.isAmazon() ? ": Amazon's, billed" : ": not Amazon's, not billed"));
        lines.add("in it: "
                + survey.contents().map(QueueScreen::contents).orElse("unknown: GetQueueAttributes was refused")
                + survey.deadLetters().map(QueueScreen::deadLetters).orElse(", no dead-letter queue"));
        survey.topic().ifPresent(topic -> lines.add("topic: " + topic(topic)));
        lines.add("this run: " + use.operationText() + ", " + work(survey, use, requests));
        lines.add("needs: " + String.join(", ", actions(use)));
        return lines;
    }

    private static String contents(QueueSurvey.Contents contents) {
        return PlanText.format(
                "%,d visible, %,d in flight, %,d delayed", contents.visible(), contents.inFlight(), contents.delayed());
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
                + (topic.others() < 0 ? "" : PlanText.format(", %,d other subscriptions", topic.others()));
    }

    private static String work(QueueSurvey survey, QueueUse use, Optional<Long> requests) {
        if (requests.isEmpty()) {
            String price = survey.isAmazon() ? cost(survey, use, Volume.of(MILLION, use)) + " for each million" : "";
            return "requests without a limit" + price
                    + (use.receives() ? "" : ", and their messages stay in the queue");
        }
        Volume volume = Volume.of(requests.get(), use);
        String left = use.receives() ? "" : PlanText.format(", %,d messages stay in the queue", volume.messages());
        return PlanText.format("up to %,d requests, %,d in all", volume.requests(), volume.sends() + volume.beside())
                + (survey.isAmazon() ? cost(survey, use, volume) : "")
                + left;
    }

    /**
     * An upper bound of what is billed.
     *
     * @param requests measured requests
     * @param messages messages they send
     * @param sends billed requests of the operation: one per 64 KiB and attempt
     * @param beside at worst one receive and one deletion per message
     */
    private record Volume(long requests, long messages, long sends, long beside) {
        static Volume of(long requests, QueueUse use) {
            long bytes = use.messageSize().map(size -> (long) size.bytes()).orElse((long) USUAL_BYTES);
            long each = use.operation() == QueueUse.Operation.SEND_BATCH ? use.batchSize() : 1;
            long chunks = Math.max(1, (bytes * each + BYTES_OF_A_REQUEST - 1) / BYTES_OF_A_REQUEST);
            long beside = switch (use.operation()) {
                case SEND, SEND_BATCH -> 0;
                case RECEIVE -> use.deleteReceived() ? requests : 0;
                case DELETE -> 2 * (requests / LARGEST_BATCH + 1);
                case DELIVERY -> 2 * requests;
            };
            return new Volume(requests, requests * each, requests * chunks * (1 + use.retries()), beside);
        }
    }

    private static String cost(QueueSurvey survey, QueueUse use, Volume volume) {
        double price = survey.isFifo() ? FIFO_PRICE : STANDARD_PRICE;
        boolean isThrough = use.through().isPresent();
        double dollars = (volume.sends() * (isThrough ? TOPIC_PRICE : price) + volume.beside() * price) / 1e6;
        return PlanText.format(
                ", about $%.4f at $%.2f a million%s (list price of us-east-1, %s)",
                dollars,
                price,
                isThrough ? PlanText.format(" and $%.2f a million published", TOPIC_PRICE) : "",
                PRICE_DATE);
    }

    private static List<String> actions(QueueUse use) {
        List<String> actions = new ArrayList<>(List.of("sqs:GetQueueUrl", "sqs:GetQueueAttributes"));
        if (use.operation() != QueueUse.Operation.RECEIVE) {
            actions.add(use.through().isPresent() ? "sns:Publish" : "sqs:SendMessage");
        }
        if (use.receives()) {
            actions.addAll(List.of("sqs:ReceiveMessage", "sqs:ChangeMessageVisibility"));
        }
        if (use.operation() == QueueUse.Operation.DELETE
                || use.operation() == QueueUse.Operation.DELIVERY
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

    static String refusal(QueueSurvey survey, QueueUse use) {
        String does = use.receives() ? " takes messages out of " : " puts messages into ";
        String why = survey.contents().filter(contents -> contents.all() > 0).isPresent() && use.receives()
                ? "it is not empty"
                : survey.isAmazon()
                        ? use.receives() ? "it is Amazon's" : "it is Amazon's: its consumers would get them"
                        : "it is unknown whether it is empty";
        return "--operation " + use.operationText() + does + survey.name() + ", and " + why
                + ": add --queue-is-mine to allow it, or give a queue of its own (run --create makes one)";
    }
}
