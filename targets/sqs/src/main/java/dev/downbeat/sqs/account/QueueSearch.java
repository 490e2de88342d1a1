package dev.downbeat.sqs.account;

import dev.downbeat.sqs.client.MissingCredentials;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.QueueName;
import dev.downbeat.sqs.client.SdkClients;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.ServiceEndpoint;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.message.SqsFailures;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Looks up a queue with a client other than the measured one. Blocks.
 *
 * @param name the user's name for it
 * @param service the service
 * @param described description for messages
 */
public record QueueSearch(QueueName name, ServiceEndpoint service, String described) {
    /**
     * Looks up the queue's URL and attributes.
     *
     * @throws IOException with one line about the error and its remedy
     */
    public Queue find(NanoClock clock) throws IOException {
        try (SdkConnection connections = SdkClients.open(service, 1, clock)) {
            String url = name.isUrl()
                    ? name.text()
                    : SqsCalls.await(connections.calls().queueUrl(name.text()));
            Map<QueueAttributeName, String> known = attributes(connections.calls(), url);
            return new Queue(
                    url,
                    seconds(known, QueueAttributeName.DELAY_SECONDS),
                    seconds(known, QueueAttributeName.VISIBILITY_TIMEOUT),
                    maxReceives(known),
                    messages(known));
        } catch (ExecutionException | RuntimeException failed) {
            throw refused(failed);
        } catch (TimeoutException silent) {
            throw new IOException(described + ": no answer within " + SqsCalls.LONGEST_SECONDS + " s", silent);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while looking for the queue", stop);
        }
    }

    private static int seconds(Map<QueueAttributeName, String> known, QueueAttributeName name) {
        return Integer.parseInt(known.getOrDefault(name, "0"));
    }

    /** Every server says something if it is allowed to say anything. */
    private static int maxReceives(Map<QueueAttributeName, String> known) {
        int ifNone = known.isEmpty() ? Queue.UNKNOWN : Queue.UNLIMITED;
        return RedrivePolicy.of(known.getOrDefault(QueueAttributeName.REDRIVE_POLICY, ""))
                .map(RedrivePolicy::maxReceives)
                .orElse(ifNone);
    }

    private static long messages(Map<QueueAttributeName, String> known) {
        return Stream.of(
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE,
                        QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_DELAYED)
                .mapToLong(name -> number(known, name).orElse(0L))
                .sum();
    }

    /** Empty if the server does not say. */
    static Optional<Long> number(Map<QueueAttributeName, String> attributes, QueueAttributeName name) {
        return Optional.ofNullable(attributes.get(name))
                .filter(text -> text.matches("\\d{1,18}")) // compatible servers differ
                .map(Long::valueOf);
    }

    /** None without permission to read them, since a sender may not have that. */
    private static Map<QueueAttributeName, String> attributes(SqsCalls calls, String url)
            throws ExecutionException, TimeoutException, InterruptedException {
        try {
            return SqsCalls.await(calls.queueAttributes(url, QueueAttributeName.ALL));
        } catch (ExecutionException refused) {
            if (SqsFailures.isDenied(refused)) {
                return Map.of();
            }
            throw refused;
        }
    }

    private IOException refused(Exception failed) {
        String reason = SqsFailures.reasonOf(failed);
        String advice = switch (reason) {
            case "no credentials found" ->
                ": " + (service.credentials().isEmpty() ? MissingCredentials.reason() : MissingCredentials.advice());
            case "access denied" -> name.isUrl() ? "" : " to GetQueueUrl: give the queue's URL";
            default -> "";
        };
        return new IOException(described + ": " + reason + advice + SqsFailures.serviceText(failed), failed);
    }
}
