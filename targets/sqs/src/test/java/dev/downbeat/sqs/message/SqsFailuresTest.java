package dev.downbeat.sqs.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.exchange.OwnLimit;
import dev.downbeat.sqs.account.SqsAccount;
import dev.downbeat.sqs.client.CallObservation;
import dev.downbeat.sqs.message.SentMessages.MessageFate;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.security.cert.CertPathBuilderException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.sqs.model.BatchResultErrorEntry;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageBatchResultEntry;
import software.amazon.awssdk.services.sqs.model.SqsException;

/** What failures are called, and what they say of the message. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SqsFailuresTest {
    private static Throwable service(int status, String code, String text) {
        AwsErrorDetails details =
                AwsErrorDetails.builder().errorCode(code).errorMessage(text).build();
        return SqsException.builder()
                .statusCode(status)
                .awsErrorDetails(details)
                .build();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "AWS.SimpleQueueService.NonExistentQueue, the queue does not exist",
        "QueueDoesNotExist, the queue does not exist",
        "NotFound, the topic does not exist",
        "NotFoundException, the topic does not exist",
        "AuthorizationError, access denied",
        "AccessDenied, access denied",
        "AccessDeniedException, access denied",
        "ExpiredToken, the credentials have expired",
        "ExpiredTokenException, the credentials have expired",
        "InvalidClientTokenId, the credentials are not valid",
        "InvalidAccessKeyId, the credentials are not valid",
        "UnrecognizedClientException, the credentials are not valid",
        "SignatureDoesNotMatch, the credentials are not valid",
        "InvalidSignatureException, the credentials are not valid",
        "RequestThrottled, throttled",
        "RequestExpired, the request came too late: is this machine's clock right?",
        "RequestTimeTooSkewed, this machine's clock is wrong",
        "Other.Code_1-x, Other.Code_1-x",
        "a code with spaces, unknown error"
    })
    void codes_of_the_service_have_words(String code, String words) {
        assertThat(SqsFailures.reasonOf(service(400, code, "text"))).isEqualTo(words);
    }

    @Test
    void without_a_code_there_is_the_status() {
        assertThat(SqsFailures.reasonOf(service(502, "", "text"))).isEqualTo("HTTP 502");
        assertThat(SqsFailures.reasonOf(SqsException.builder().statusCode(502).build()))
                .isEqualTo("HTTP 502");
        assertThat(SqsFailures.reasonOf(service(429, "Strange", "text"))).isEqualTo("throttled");
        assertThat(SqsFailures.reasonOf(service(400, "x".repeat(80), ""))).isEqualTo("x".repeat(80));
        assertThat(SqsFailures.reasonOf(service(400, "x".repeat(81), ""))).isEqualTo("unknown error");
    }

    static Stream<Arguments> clients() {
        return Stream.of(
                Arguments.of(new IOException("Unable to load credentials from any"), "no credentials found"),
                Arguments.of(
                        new IOException("MD5 returned by SQS does not match"), "the checksum of the answer is wrong"),
                Arguments.of(new IOException("checksum \"null\""), "response without confirmation"),
                Arguments.of(
                        new IOException("Timeout waiting for connection from pool"),
                        "no free connection within the acquire timeout"),
                Arguments.of(
                        new IOException("no connection was free in time"),
                        "no free connection within the acquire timeout"),
                Arguments.of(
                        new IOException("Failed to acquire a connection"),
                        "no free connection within the acquire timeout"),
                Arguments.of(
                        new IOException("Acquire operation took longer than"),
                        "no free connection within the acquire timeout"),
                Arguments.of(AbortedException.create("x"), "interrupted"),
                Arguments.of(new InterruptedException(), "interrupted"),
                Arguments.of(new SSLException("x"), "TLS failed"),
                Arguments.of(
                        new SSLException("x", new CertPathBuilderException("y")),
                        "TLS: the server's certificate is not trusted"),
                Arguments.of(new UnknownHostException("x"), "unknown host"),
                Arguments.of(new IOException("unknown host x"), "unknown host"),
                Arguments.of(new IOException("Host name was invalid for dns resolution"), "unknown host"),
                Arguments.of(new IOException("Unexpected end of file from server"), "closed before a response"),
                Arguments.of(new ConnectException("x"), "connection refused"),
                Arguments.of(new ConnectException("Operation timed out"), "connect timed out"),
                Arguments.of(new IOException("Connection refused"), "connection refused"),
                Arguments.of(new SocketTimeoutException("Connect timed out"), "connect timed out"),
                Arguments.of(
                        new SocketTimeoutException("Read timed out"), "no answer within the client's read timeout"),
                Arguments.of(new SocketException("x"), "connection reset"),
                Arguments.of(new IOException("Connection reset by peer"), "connection reset"),
                Arguments.of(new IOException("the server closed the connection"), "closed before a response"),
                Arguments.of(new IOException("The connection was closed"), "closed before a response"),
                Arguments.of(new IOException("Socket is closed"), "closed before a response"),
                Arguments.of(new IOException("The target server failed to respond"), "closed before a response"),
                Arguments.of(
                        SdkClientException.create("outer", new IOException("Connection reset")), "connection reset"),
                Arguments.of(SdkClientException.create("outer", new IllegalStateException()), "IllegalStateException"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("clients")
    void failures_of_all_clients_have_the_same_words(Throwable thrown, String words) {
        assertThat(SqsFailures.reasonOf(thrown)).isEqualTo(words);
        assertThat(SqsFailures.reasonOf(new CompletionException(new ExecutionException(thrown))))
                .isEqualTo(words);
    }

    @Test
    void the_text_of_the_service_follows_in_brackets() {
        assertThat(SqsFailures.serviceText(service(400, "Code", " two\n words ")))
                .as("the code is the reason already")
                .isEqualTo(" (two words)");
        assertThat(SqsFailures.serviceText(service(400, "AccessDenied", " two\n words ")))
                .isEqualTo(" (AccessDenied: two words)");
        assertThat(SqsFailures.serviceText(service(400, "same", "same"))).isEmpty();
        assertThat(SqsFailures.serviceText(service(400, "AccessDenied", "AccessDenied")))
                .isEqualTo(" (AccessDenied)");
        assertThat(SqsFailures.serviceText(service(400, "", " "))).isEmpty();
        assertThat(SqsFailures.serviceText(SqsException.builder().build())).isEmpty();
        assertThat(SqsFailures.serviceText(service(400, "C", "x".repeat(200)))).isEqualTo(" (" + "x".repeat(200) + ")");
        assertThat(SqsFailures.serviceText(service(400, "C", "x".repeat(201))))
                .isEqualTo(" (" + "x".repeat(200) + "...)");
        assertThat(SqsFailures.serviceText(new IllegalStateException("own text")))
                .as("has no words of Downbeat's")
                .isEqualTo(" (own text)");
        assertThat(SqsFailures.serviceText(new ConnectException("own text"))).isEmpty();
    }

    @Test
    void a_failure_keeps_its_first_text_and_after_64_the_rest_is_one() {
        SqsFailures failures = new SqsFailures(false);
        Outcome first = of(failures, service(400, "Code0", "first"));
        assertThat(first.reason()).isEqualTo("Code0 (first)");
        assertThat(of(failures, service(400, "Code0", "second"))).isSameAs(first);
        for (int i = 1; i < 64; i++) {
            assertThat(of(failures, service(400, "Code" + i, "")).reason()).startsWith("Code" + i);
        }
        assertThat(of(failures, service(400, "Code64", "")).reason()).isEqualTo("another failure");
        assertThat(of(failures, service(400, "Code0", ""))).isSameAs(first);
    }

    /** What refuses everything was reached: the run has a result, as over HTTP. */
    @Test
    void what_the_service_says_is_a_response_and_what_ends_a_connection_is_none() {
        SqsFailures failures = new SqsFailures(false);
        assertThat(of(failures, service(400, "AccessDenied", "")).isResponse()).isTrue();
        assertThat(of(failures, new CompletionException(service(503, "", ""))).isResponse())
                .isTrue();
        assertThat(of(failures, new IOException("checksum")).isResponse()).isTrue();
        assertThat(failures.ofBatch(answer(0, "Other"), 1).isResponse()).isTrue();
        assertThat(SqsFailures.CONFIRMS_NOTHING.isResponse()).isTrue();
        assertThat(of(failures, new ConnectException("x")).isResponse()).isFalse();
        assertThat(of(failures, new SocketTimeoutException("Read timed out")).isResponse())
                .isFalse();
        for (int i = 0; i < 64; i++) {
            of(failures, service(400, "Code" + i, ""));
        }
        assertThat(of(failures, service(400, "Code64", ""))).isEqualTo(Outcome.failedResponse("another failure"));
        assertThat(of(failures, new SocketException("x"))).isEqualTo(Outcome.failed("another failure"));
    }

    private static SendMessageBatchResponse answer(int successful, String... codes) {
        return SendMessageBatchResponse.builder()
                .successful(Stream.generate(
                                () -> SendMessageBatchResultEntry.builder().build())
                        .limit(successful)
                        .toList())
                .failed(Stream.of(codes)
                        .map(code -> BatchResultErrorEntry.builder()
                                .code(code)
                                .message("m")
                                .build())
                        .toList())
                .build();
    }

    @Test
    void a_batch_is_answered_if_each_message_is_confirmed() {
        SqsFailures failures = new SqsFailures(false);
        assertThat(failures.ofBatch(answer(3), 3)).isEqualTo(Outcome.answered());
        assertThat(failures.ofBatch(answer(2), 3)).isEqualTo(SqsFailures.CONFIRMS_NOTHING);
        assertThat(failures.ofBatch(answer(2, "RequestThrottled", "Other"), 3).reason())
                .isEqualTo("in a batch: throttled (RequestThrottled: m)");
    }

    /** As Downbeat's own transport and those of the SDK say it. */
    @ParameterizedTest
    @ValueSource(strings = {"too many open files (see ulimit -n)", "Too many open files"})
    void a_limit_of_this_process_is_not_the_services_failure(String text) {
        Throwable thrown = new CompletionException(SdkClientException.create("outer", new SocketException(text)));
        assertThat(of(new SqsFailures(false), thrown)).isEqualTo(OwnLimit.OPEN_FILES.outcome());
        assertThat(fate(thrown, false)).isEqualTo(MessageFate.NOT_SENT);
        assertThat(of(new SqsFailures(true), thrown))
                .as("an earlier attempt may have arrived")
                .isEqualTo(Outcome.ownLimitAfterSending(OwnLimit.OPEN_FILES.reason()));
        assertThat(fate(thrown, true)).isEqualTo(MessageFate.UNKNOWN);
    }

    private static Outcome of(SqsFailures failures, Throwable thrown) {
        return failures.of(thrown, new CallObservation());
    }

    private static MessageFate fate(Throwable thrown, boolean retries) {
        return new SqsFailures(retries).fateOf(thrown, new CallObservation());
    }

    /** A service that refused did not take the message, unless it failed itself; an unsent request was never there. */
    @Test
    void the_fate_of_a_message_is_known_if_the_failure_shows_it() {
        assertThat(fate(service(400, "AccessDenied", ""), false)).isEqualTo(MessageFate.NOT_SENT);
        assertThat(fate(service(499, "Other", ""), false)).isEqualTo(MessageFate.NOT_SENT);
        assertThat(fate(service(500, "Other", ""), false)).isEqualTo(MessageFate.UNKNOWN);
        assertThat(fate(service(503, "ThrottlingException", ""), false)).isEqualTo(MessageFate.NOT_SENT);
        assertThat(fate(new CompletionException(service(400, "AccessDenied", "")), false))
                .isEqualTo(MessageFate.NOT_SENT);
        assertThat(fate(new IOException("checksum"), false)).isEqualTo(MessageFate.SENT);
        assertThat(fate(new ConnectException("x"), false)).isEqualTo(MessageFate.NOT_SENT);
        assertThat(fate(new ConnectException("x"), true))
                .as("an earlier attempt may have arrived")
                .isEqualTo(MessageFate.UNKNOWN);
        assertThat(fate(new SocketException("x"), false)).isEqualTo(MessageFate.UNKNOWN);
        assertThat(fate(new SSLHandshakeException("x"), false)).isEqualTo(MessageFate.NOT_SENT);
        assertThat(fate(new SSLException("x"), false)).isEqualTo(MessageFate.UNKNOWN);
    }

    @Test
    @Timeout(30)
    void causes_may_form_a_circle() {
        IllegalStateException one = new IllegalStateException("one");
        one.initCause(new CompletionException(one));
        for (Throwable odd : new Throwable[] {one, one.getCause(), new SSLException(one), new IOException(one)}) {
            assertThat(SqsFailures.reasonOf(odd)).isNotEmpty();
            assertThat(SqsFailures.serviceText(odd)).isNotNull();
            assertThat(fate(odd, false)).isEqualTo(MessageFate.UNKNOWN);
            assertThat(SqsAccount.mayHaveSucceeded(new IOException("x", odd)))
                    .as("an I/O error after sending")
                    .isEqualTo(odd instanceof IOException);
        }
    }
}
