package dev.downbeat.sqs.account;

import dev.downbeat.sqs.client.ConnectionLog;
import dev.downbeat.sqs.client.MissingCredentials;
import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.client.QueueName;
import dev.downbeat.sqs.client.SdkClients;
import dev.downbeat.sqs.client.SdkConnection;
import dev.downbeat.sqs.client.ServicePlace;
import dev.downbeat.sqs.client.SqsCalls;
import dev.downbeat.sqs.message.SqsFailures;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesRequest;
import software.amazon.awssdk.services.sqs.model.GetQueueAttributesResponse;
import software.amazon.awssdk.services.sqs.model.GetQueueUrlRequest;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Looks for a queue, with a client that is not the one measured. Waits for the answers.
 *
 * @param name what the user calls it
 * @param place where the service is
 * @param described the queue in a message
 */
public record QueueSearch(QueueName name, ServicePlace place, String described) {
    /**
     * Asks where it is and how it is.
     *
     * @throws IOException with one line that says what is wrong, and what to do about it
     */
    public Queue find(NanoClock clock) throws IOException {
        try (SdkConnection connections = SdkClients.open(place, 1, new ConnectionLog(clock))) {
            String url = name.isUrl() ? name.text() : url(connections.calls());
            GetQueueAttributesRequest request = GetQueueAttributesRequest.builder()
                    .queueUrl(url)
                    .attributeNames(QueueAttributeName.DELAY_SECONDS)
                    .build();
            int delaySeconds = delaySeconds(connections.calls(), request);
            return new Queue(url, delaySeconds);
        } catch (ExecutionException | RuntimeException failed) {
            throw refused(failed);
        } catch (TimeoutException silent) {
            throw new IOException(described + ": no answer within " + SqsCalls.LONGEST_SECONDS + " s", silent);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while looking for the queue", stop);
        }
    }

    private String url(SqsCalls calls) throws ExecutionException, TimeoutException, InterruptedException {
        return SqsCalls.await(calls.queueUrl(
                        GetQueueUrlRequest.builder().queueName(name.text()).build()))
                .queueUrl();
    }

    /** The queue's delay; 0 if we may not know: who may send need not be allowed to ask. */
    private static int delaySeconds(SqsCalls calls, GetQueueAttributesRequest request)
            throws ExecutionException, TimeoutException, InterruptedException {
        try {
            GetQueueAttributesResponse answer = SqsCalls.await(calls.queueAttributes(request));
            Map<QueueAttributeName, String> attributes = answer.attributes();
            return Integer.parseInt(attributes.getOrDefault(QueueAttributeName.DELAY_SECONDS, "0"));
        } catch (ExecutionException refused) {
            if (SqsFailures.reasonOf(refused).equals("access denied")) {
                return 0;
            }
            throw refused;
        }
    }

    private IOException refused(Exception failed) {
        String reason = SqsFailures.reasonOf(failed);
        String advice = switch (reason) {
            case "no credentials found" ->
                ": " + (place.credentials().isEmpty() ? MissingCredentials.reason() : MissingCredentials.advice());
            case "access denied" -> name.isUrl() ? "" : " to GetQueueUrl: give the queue's URL";
            default -> "";
        };
        return new IOException(described + ": " + reason + advice + SqsFailures.told(failed), failed);
    }
}
