package dev.downbeat.sqs.message;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.OwnLimit;
import dev.downbeat.sqs.client.CallObservation;
import dev.downbeat.sqs.client.DownbeatSdkHttpClient;
import dev.downbeat.sqs.message.SentMessages.MessageFate;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertPathBuilderException;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;

/**
 * Failure reasons of operations, in as few words as needed, without request content. One instance each; after {@link
 * #MOST} of them, the rest share one. Thread-safe.
 */
public final class SqsFailures {
    public static final Outcome CONFIRMS_NOTHING = Outcome.failedResponse("response without confirmation");
    /** Not a failure of the service: the run ended itself. */
    public static final Outcome FOREIGN_MESSAGES = Outcome.ownLimit(
            "the queue holds messages of other producers (they are returned with --queue-is-mine; API: queueIsMine)");

    /** Not a failure of the service: the run ended itself before it could do harm, or more of it. */
    public static final Outcome DEAD_LETTERS =
            Outcome.ownLimit("messages of other producers might move to the dead-letter queue: use a separate queue");

    /** Not a failure of the service: the run ended itself, because each receive of them counts. */
    public static final Outcome NOT_HIDDEN =
            Outcome.ownLimit("messages of other producers cannot be hidden: sqs:ChangeMessageVisibility was refused");

    /** Not a failure of the service: it answers such polls when it has a message. */
    public static final Outcome CONNECTIONS_WAIT =
            Outcome.ownLimit("all connections waited for messages (-c, --poll-wait; API: maxConnections, pollWait)");

    private static final String NO_CONNECTION = "no free connection within the acquire timeout";
    private static final String DENIED = "access denied";
    private static final String CHECKSUM = "the checksum of the answer is wrong";

    /** Failures certain to precede any send. */
    private static final Set<String> UNSENT_FAILURES = Set.of(
            OwnLimit.OPEN_FILES.reason(),
            OwnLimit.LOCAL_PORTS.reason(),
            OwnLimit.PROCESSES.reason(),
            "no credentials found",
            NO_CONNECTION,
            "unknown host",
            "name lookup timed out",
            "connection refused",
            "connect timed out",
            "TLS handshake timed out",
            "TLS: the server's certificate is not trusted");

    /** From Apache's pool, whose class cannot be named here: depends on which of its timers fires first. */
    private static final Set<String> POOL_TIMEOUTS =
            Set.of("ConnectionRequestTimeoutException", "DeadlineTimeoutException");

    private static final Outcome REST = Outcome.failed("another failure");
    private static final Outcome REST_OF_RESPONSES = Outcome.failedResponse(REST.reason());
    private static final int MOST = 64;
    private static final int SERVER_ERROR = 500;
    private static final int LONGEST_TEXT = 200;
    private static final int MOST_CAUSES = 10;

    /** Old and new error codes of the service. */
    private static final Map<String, String> CODES = Map.ofEntries(
            Map.entry("AWS.SimpleQueueService.NonExistentQueue", "the queue does not exist"),
            Map.entry("QueueDoesNotExist", "the queue does not exist"),
            Map.entry("NotFound", "the topic does not exist"),
            Map.entry("NotFoundException", "the topic does not exist"),
            Map.entry("AuthorizationError", DENIED),
            Map.entry("AccessDenied", DENIED),
            Map.entry("AccessDeniedException", DENIED),
            Map.entry("ExpiredToken", "the credentials have expired"),
            Map.entry("ExpiredTokenException", "the credentials have expired"),
            Map.entry("InvalidClientTokenId", "the credentials are not valid"),
            Map.entry("InvalidAccessKeyId", "the credentials are not valid"),
            Map.entry("UnrecognizedClientException", "the credentials are not valid"),
            Map.entry("SignatureDoesNotMatch", "the credentials are not valid"),
            Map.entry("InvalidSignatureException", "the credentials are not valid"),
            Map.entry("RequestThrottled", "throttled"),
            Map.entry("Throttling", "throttled"),
            Map.entry("ThrottlingException", "throttled"),
            Map.entry("RequestExpired", "the request came too late: is this machine's clock right?"),
            Map.entry("RequestTimeTooSkewed", "this machine's clock is wrong"));

    private final Map<String, Outcome> byReason = new ConcurrentHashMap<>();

    private final boolean retries;

    /**
     * The failures of a client.
     *
     * @param retries whether it retries: if so, the last attempt's error says nothing about earlier ones
     */
    public SqsFailures(boolean retries) {
        this.retries = retries;
    }

    /** The outcome of a batch: a failure unless each of its messages is confirmed. */
    public Outcome ofBatch(SendMessageBatchResponse answer, int size) {
        if (!answer.failed().isEmpty()) {
            return ofEntry(answer.failed().get(0));
        }
        return answer.successful().size() == size ? Outcome.answered() : CONFIRMS_NOTHING;
    }

    /** The outcome of a partly refused batch, by its first refused entry. */
    public Outcome ofEntry(BatchResultErrorEntry entry) {
        String reason = ofCode(entry.code());
        return known("in a batch: " + reason, serviceText(reason, entry.code(), entry.message()), true);
    }

    /**
     * A failed response if the service responded, even if it refuses everything.
     *
     * @param observation observation of all attempts
     */
    public Outcome of(Throwable thrown, CallObservation observation) {
        Optional<OwnLimit> limit = OwnLimit.of(thrown);
        if (limit.isPresent()) {
            return isUnsent(thrown, observation)
                    ? limit.get().outcome()
                    : Outcome.ownLimitAfterSending(limit.get().reason());
        }
        return known(reasonOf(thrown), serviceText(thrown), isAnswer(thrown));
    }

    private static boolean isAnswer(Throwable thrown) {
        String reason = reasonOf(thrown);
        return causeOf(thrown) instanceof AwsServiceException
                || reason.equals(CHECKSUM)
                || reason.equals(CONFIRMS_NOTHING.reason());
    }

    /** One outcome per reason, with the text of its first failure, since texts may contain request ids. */
    private Outcome known(String reason, String text, boolean isAnswer) {
        Outcome known = byReason.get(reason);
        if (known == null && byReason.size() < MOST) {
            known = byReason.computeIfAbsent(
                    reason, first -> isAnswer ? Outcome.failedResponse(first + text) : Outcome.failed(first + text));
        }
        return known != null ? known : isAnswer ? REST_OF_RESPONSES : REST;
    }

    /**
     * The fate of the message.
     *
     * @param observation observation of all attempts
     */
    public MessageFate fateOf(Throwable thrown, CallObservation observation) {
        String reason = reasonOf(thrown);
        if (reason.equals(CHECKSUM)) {
            return MessageFate.SENT;
        }
        boolean refused = causeOf(thrown) instanceof AwsServiceException refusal
                && (refusal.statusCode() < SERVER_ERROR || refusal.isThrottlingException());
        boolean isCertain = refused ? !retries || observation.isRefusedEachTime() : isUnsent(thrown, observation);
        return isCertain ? MessageFate.NOT_SENT : MessageFate.UNKNOWN;
    }

    /**
     * Whether an operation failed before any of its attempts was sent.
     *
     * @param observation observation of all attempts
     */
    public boolean isUnsent(Throwable thrown, CallObservation observation) {
        return isUnsent(thrown)
                && (observation.attempts() > 0 ? observation.failedEachTime(SqsFailures::isUnsent) : !retries);
    }

    /** Whether a request failed before it was sent. */
    public static boolean isUnsent(Throwable thrown) {
        return UNSENT_FAILURES.contains(reasonOf(thrown))
                || causes(thrown)
                        .anyMatch(cause -> cause instanceof SSLHandshakeException
                                || (cause instanceof DownbeatSdkHttpClient.Broken broken && broken.isUnsent()));
    }

    /** Whether no connection was free for an operation, in any of its attempts. */
    public boolean foundNoConnection(Throwable thrown, CallObservation observation) {
        return isUnsent(thrown, observation) && reasonOf(thrown).equals(NO_CONNECTION);
    }

    /** A failure and its causes, of which there may be a circle. */
    public static Stream<Throwable> causes(@Nullable Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause).limit(MOST_CAUSES);
    }

    public static String reasonOf(Throwable thrown) {
        Throwable cause = causeOf(thrown);
        return cause instanceof AwsServiceException refused ? ofService(refused) : ofClient(cause);
    }

    /** Whether the caller lacks a permission. */
    public static boolean isDenied(Throwable thrown) {
        return reasonOf(thrown).equals(DENIED);
    }

    private static Throwable causeOf(Throwable thrown) {
        return causes(thrown)
                .filter(cause -> cause.getCause() == null
                        || !(cause instanceof CompletionException || cause instanceof ExecutionException))
                .findFirst()
                .orElse(thrown);
    }

    /**
     * The service's code and text, in brackets, or those of a failure without a reason of Downbeat's; empty if there
     * are none. Without a code that is the reason itself.
     */
    public static String serviceText(Throwable thrown) {
        Throwable cause = causeOf(thrown);
        String reason = reasonOf(cause);
        if (cause instanceof AwsServiceException refused) {
            AwsErrorDetails details = refused.awsErrorDetails();
            return details == null ? "" : serviceText(reason, details.errorCode(), details.errorMessage());
        }
        Throwable root = rootOf(cause);
        return reason.equals(root.getClass().getSimpleName()) ? serviceText(reason, null, root.getMessage()) : "";
    }

    private static String serviceText(String reason, @Nullable String code, @Nullable String text) {
        String both = Stream.of(code, text)
                .filter(word -> word != null && !word.isBlank() && !word.equals(reason))
                .map(word -> word.strip().replaceAll("\\s+", " "))
                .distinct()
                .collect(Collectors.joining(": "));
        String line = both.length() > LONGEST_TEXT ? both.substring(0, LONGEST_TEXT) + "..." : both;
        return line.isEmpty() ? "" : " (" + line + ")";
    }

    private static String ofService(AwsServiceException refused) {
        if (refused.isThrottlingException()) {
            return "throttled"; // also without a code, by the status
        }
        String code = refused.awsErrorDetails() == null
                ? null
                : refused.awsErrorDetails().errorCode();
        return code == null || code.isEmpty() ? "HTTP " + refused.statusCode() : ofCode(code);
    }

    private static String ofCode(String code) {
        String known = CODES.get(code);
        if (known != null) {
            return known;
        }
        return code.matches("[A-Za-z0-9._-]{1,80}") ? code : "unknown error";
    }

    private static String ofClient(Throwable thrown) {
        Optional<OwnLimit> limit = OwnLimit.of(thrown);
        if (limit.isPresent()) {
            return limit.get().reason();
        }
        return causes(thrown)
                .map(SqsFailures::known)
                .filter(reason -> !reason.isEmpty())
                .findFirst()
                .orElseGet(() -> rootOf(thrown).getClass().getSimpleName());
    }

    private static Throwable rootOf(Throwable thrown) {
        return causes(thrown).reduce(thrown, (before, cause) -> cause);
    }

    private static String known(Throwable thrown) {
        String message = thrown.getMessage() == null ? "" : thrown.getMessage().toLowerCase(Locale.ROOT);
        if (message.contains("unable to load credentials")) {
            return "no credentials found";
        }
        if (message.contains("md5 returned by sqs") || message.contains("checksum")) {
            return message.contains("\"null\"") ? CONFIRMS_NOTHING.reason() : CHECKSUM;
        }
        if (message.contains("connection from pool")
                || message.equals("no connection was free in time")
                || message.contains("failed to acquire a connection")
                || message.contains("acquire operation took longer")
                || POOL_TIMEOUTS.contains(thrown.getClass().getSimpleName())) {
            return NO_CONNECTION;
        }
        if (thrown instanceof AbortedException || thrown instanceof InterruptedException) {
            return "interrupted";
        }
        if (thrown instanceof ApiCallTimeoutException || thrown instanceof TimeoutException) {
            return "no answer in time";
        }
        return ofNetwork(thrown, message);
    }

    private static String ofNetwork(Throwable thrown, String message) {
        if (thrown instanceof SSLException) {
            return causes(thrown).anyMatch(CertPathBuilderException.class::isInstance)
                    ? "TLS: the server's certificate is not trusted"
                    : "TLS failed";
        }
        if (thrown instanceof UnknownHostException
                || thrown instanceof UnresolvedAddressException
                || message.startsWith("unknown host")
                || message.contains("host name was invalid for dns resolution")) {
            return "unknown host";
        }
        if (thrown instanceof DownbeatSdkHttpClient.Broken) {
            return String.valueOf(thrown.getMessage());
        }
        if (message.contains("unexpected end of file")) {
            return "closed before a response";
        }
        if (thrown instanceof ConnectException || message.contains("connection refused")) {
            return message.contains("timed out") ? "connect timed out" : "connection refused";
        }
        if (thrown instanceof SocketTimeoutException) {
            return message.contains("connect") ? "connect timed out" : "no answer within the client's read timeout";
        }
        if (thrown.getClass().getSimpleName().equals("ReadTimeoutException")) {
            return "no answer within the client's read timeout";
        }
        if (thrown instanceof SocketException || message.contains("connection reset")) {
            return "connection reset";
        }
        boolean closed = message.contains("closed the connection")
                || message.contains("connection was closed")
                || message.contains("connection has closed")
                || message.contains("socket is closed")
                || message.contains("failed to respond");
        return closed ? "closed before a response" : "";
    }
}
