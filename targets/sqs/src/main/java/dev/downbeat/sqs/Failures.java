package dev.downbeat.sqs;

import dev.downbeat.exchange.Outcome;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import javax.net.ssl.SSLException;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;

/**
 * The reasons why an operation can fail, as few words as tell them apart, and never a request's content. One instance for
 * each; after {@link #MOST} of them, the rest is one. Thread-safe.
 */
final class Failures {
    static final Outcome NO_MESSAGE = Outcome.failed("no message");
    static final Outcome NOTHING_TO_DELETE = Outcome.failed("no message to delete yet");

    /** Of Apache's pool, which is no class that this one may name: whichever of its clocks notices first. */
    private static final Set<String> POOL_TIMEOUTS =
            Set.of("ConnectionRequestTimeoutException", "DeadlineTimeoutException");

    private static final Outcome REST = Outcome.failed("another failure");
    private static final int MOST = 64;

    /** Error codes as the service gives them, old and new. */
    private static final Map<String, String> CODES = Map.ofEntries(
            Map.entry("AWS.SimpleQueueService.NonExistentQueue", "the queue does not exist"),
            Map.entry("QueueDoesNotExist", "the queue does not exist"),
            Map.entry("AccessDenied", "access denied"),
            Map.entry("AccessDeniedException", "access denied"),
            Map.entry("ExpiredToken", "the credentials have expired"),
            Map.entry("ExpiredTokenException", "the credentials have expired"),
            Map.entry("InvalidClientTokenId", "the credentials are not valid"),
            Map.entry("InvalidAccessKeyId", "the credentials are not valid"),
            Map.entry("UnrecognizedClientException", "the credentials are not valid"),
            Map.entry("SignatureDoesNotMatch", "the credentials are not valid"),
            Map.entry("InvalidSignatureException", "the credentials are not valid"),
            Map.entry("RequestExpired", "the request came too late: is this machine's clock right?"),
            Map.entry("RequestTimeTooSkewed", "this machine's clock is wrong"));

    private final Map<String, Outcome> byReason = new ConcurrentHashMap<>();

    /** A part of a batch was refused, for the reason of its first entry that was. */
    Outcome ofEntry(String code) {
        return known("in a batch: " + ofCode(code));
    }

    Outcome of(Throwable thrown) {
        return known(reasonOf(thrown));
    }

    private Outcome known(String reason) {
        Outcome known = byReason.get(reason);
        if (known == null && byReason.size() < MOST) {
            known = byReason.computeIfAbsent(reason, Outcome::failed);
        }
        return known == null ? REST : known;
    }

    static String reasonOf(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause instanceof AwsServiceException refused ? ofService(refused) : ofClient(cause);
    }

    private static String ofService(AwsServiceException refused) {
        if (refused.isThrottlingException()) {
            return "throttled";
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
        return code.matches("[A-Za-z0-9._-]{1,80}") ? code : "an error without a name";
    }

    private static String ofClient(Throwable thrown) {
        for (Throwable cause = thrown; cause != null && cause != cause.getCause(); cause = cause.getCause()) {
            String reason = known(cause);
            if (!reason.isEmpty()) {
                return reason;
            }
        }
        return rootOf(thrown).getClass().getSimpleName();
    }

    private static Throwable rootOf(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        return root;
    }

    private static String known(Throwable thrown) {
        String message = thrown.getMessage() == null ? "" : thrown.getMessage().toLowerCase(Locale.ROOT);
        if (message.contains("unable to load credentials")) {
            return "no credentials found";
        }
        if (message.contains("connection from pool")
                || message.contains("acquire operation took longer")
                || POOL_TIMEOUTS.contains(thrown.getClass().getSimpleName())) {
            return "no free connection within the acquire timeout";
        }
        if (thrown instanceof AbortedException || thrown instanceof InterruptedException) {
            return "interrupted";
        }
        if (thrown instanceof ApiCallTimeoutException) {
            return "no answer in time";
        }
        return ofNetwork(thrown, message);
    }

    private static String ofNetwork(Throwable thrown, String message) {
        if (thrown instanceof SSLException) {
            return message.contains("pkix") || message.contains("certification path")
                    ? "TLS: the server's certificate is not trusted"
                    : "TLS failed";
        }
        if (thrown instanceof UnknownHostException) {
            return "unknown host";
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
                || message.contains("failed to respond");
        return closed ? "closed before a response" : "";
    }
}
