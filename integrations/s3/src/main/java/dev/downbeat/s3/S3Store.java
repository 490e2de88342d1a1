package dev.downbeat.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertPathBuilderException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.NonRetryableException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * An object store: Amazon S3 or a compatible one, configured by {@code AWS_ENDPOINT_URL_S3} or {@code
 * AWS_ENDPOINT_URL}. Region and credentials come from the SDK's default chains. The SDK retries failures as it sees
 * fit: a result justifies a few seconds, but no more than a pod's termination grace period. Exceptions state the reason in
 * one line. Thread-safe.
 */
public final class S3Store implements AutoCloseable {
    /** The suffix of a probe's key, which no result has. */
    static final String PROBE = ".probe";

    private static final int MOVED = 301;
    private static final int BAD_REQUEST = 400;
    private static final int FORBIDDEN = 403;
    private static final int MISSING = 404;

    private static final int BUFFER_BYTES = 1 << 16;

    /** Error codes that do not mean missing permission, although their status is 403. */
    private static final Map<String, String> CODES = Map.of(
            "RequestTimeTooSkewed", "this machine's clock is wrong",
            "ExpiredToken", "the credentials have expired");

    /** For one upload including retries: a pod is killed 30 s after its termination request. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static final Duration CONNECTING = Duration.ofSeconds(3);

    private final S3Client client;
    private final Duration limit;

    /** A small object that was written here. */
    private volatile @Nullable S3Place lastWritten;

    private volatile boolean canRead;

    private S3Store(S3Client client, Duration limit) {
        this.client = client;
        this.limit = limit;
    }

    /**
     * Opens the store configured in the environment.
     *
     * @throws IOException if the region is missing or the endpoint invalid
     */
    public static S3Store open() throws IOException {
        return open(LIMIT);
    }

    /** Opens the store with a time limit for an upload or a check including retries; above zero. */
    public static S3Store open(Duration limit) throws IOException {
        try {
            UrlConnectionHttpClient.Builder http = UrlConnectionHttpClient.builder()
                    .connectionTimeout(limit.compareTo(CONNECTING) < 0 ? limit : CONNECTING)
                    .socketTimeout(limit.dividedBy(2));
            S3ClientBuilder client = S3Client.builder()
                    .httpClientBuilder(defaults -> new CheckedHttp(http.buildWithDefaults(defaults)))
                    .crossRegionAccessEnabled(true);
            // Private stores rarely have a host name per bucket.
            endpoint().ifPresent(uri -> client.endpointOverride(uri).forcePathStyle(true));
            return new S3Store(client.build(), limit);
        } catch (SdkException | IllegalArgumentException unusable) {
            throw new IOException("the object store cannot be used: " + firstLine(unusable), unusable);
        }
    }

    private static Optional<URI> endpoint() {
        return Stream.of(
                        System.getProperty("aws.endpointUrlS3"),
                        System.getenv("AWS_ENDPOINT_URL_S3"),
                        System.getProperty("aws.endpointUrl"),
                        System.getenv("AWS_ENDPOINT_URL"))
                .filter(text -> text != null && !text.isBlank())
                .findFirst()
                .map(URI::create);
    }

    private void limited(AwsRequestOverrideConfiguration.Builder call) {
        call.apiCallTimeout(limit);
    }

    /**
     * Rejects a missing bucket, invalid credentials and a location without write permission: it writes a small object
     * next to the location and deletes it. Missing permission to list or delete is accepted.
     */
    public void check(S3Place place) throws IOException {
        Optional<S3Exception> forbidden = Optional.empty();
        try {
            client.headBucket(request -> request.bucket(place.bucket()).overrideConfiguration(this::limited));
        } catch (S3Exception refused) {
            if (refused.statusCode() != FORBIDDEN) {
                throw failure(place, refused);
            }
            forbidden = Optional.of(refused);
        } catch (SdkException failed) {
            throw failure(place, failed);
        }
        if (!place.key().isEmpty()) {
            probe(place, forbidden);
        }
    }

    /**
     * Writes and deletes a small object, to find out whether the location is writable.
     *
     * @param forbidden why the bucket may not be read; a store may hang up on a body that it refuses, without a reason
     */
    private void probe(S3Place place, Optional<S3Exception> forbidden) throws IOException {
        String key = place.key() + PROBE;
        try {
            client.putObject(
                    request -> request.bucket(place.bucket()).key(key).overrideConfiguration(this::limited),
                    RequestBody.fromString("may be removed\n"));
        } catch (S3Exception refused) {
            throw failure(place, refused);
        } catch (SdkException failed) {
            throw failure(place, forbidden.map(SdkException.class::cast).orElse(failed));
        }
        try {
            client.deleteObject(
                    request -> request.bucket(place.bucket()).key(key).overrideConfiguration(this::limited));
        } catch (SdkException undeletable) {
            // without delete permission it stays, and the next check overwrites it
        }
    }

    /** Uploads a file atomically: readers see all of it or nothing. */
    public void put(S3Place place, Path file) throws IOException {
        try {
            client.putObject(
                    request -> request.bucket(place.bucket()).key(place.key()).overrideConfiguration(this::limited),
                    file);
        } catch (S3Exception | ApiCallTimeoutException refused) {
            throw failure(place, refused);
        } catch (SdkException failed) {
            throw failure(place, whyNotWritten(place, failed));
        }
    }

    /** Writes a small object atomically. */
    public void put(S3Place place, byte[] content) throws IOException {
        call(
                place,
                store -> store.putObject(
                        request ->
                                request.bucket(place.bucket()).key(place.key()).overrideConfiguration(this::limited),
                        RequestBody.fromBytes(content)));
        lastWritten = place;
    }

    /**
     * Reads a small object; empty if it does not exist. Without permission to list, S3 denies access to what does not
     * exist, which then shows by an object written here that can be read.
     *
     * @param most bytes to read of it
     */
    public Optional<byte[]> get(S3Place place, int most) throws IOException {
        try (ResponseInputStream<GetObjectResponse> in =
                client.getObject(request -> request.bucket(place.bucket()).key(place.key()))) {
            return Optional.of(new Content(in.response(), in).readNBytes(most));
        } catch (NoSuchKeyException none) {
            return Optional.empty();
        } catch (S3Exception refused) {
            if ("AccessDenied".equals(code(refused)) && !place.equals(lastWritten) && canReadLastWritten(most)) {
                return Optional.empty();
            }
            throw failure(place, refused);
        } catch (SdkException failed) {
            throw failure(place, failed);
        } catch (IOException broken) {
            throw new IOException(place + ": " + ofNetwork(broken), broken);
        }
    }

    /** Checks until reading has succeeded once. */
    private boolean canReadLastWritten(int most) {
        S3Place written = lastWritten;
        if (!canRead && written != null) {
            try {
                canRead = get(written, most).isPresent();
            } catch (IOException refused) {
                return false; // reading is denied altogether
            }
        }
        return canRead;
    }

    /**
     * A store that rejects the key may close the connection before reading the file, which loses its response. The
     * request is therefore repeated without a body. Missing permission to list says nothing about writing.
     */
    private SdkException whyNotWritten(S3Place place, SdkException failed) {
        try {
            client.listObjectsV2(request -> request.bucket(place.bucket())
                    .prefix(place.key())
                    .maxKeys(1)
                    .overrideConfiguration(this::limited));
            return failed;
        } catch (S3Exception refused) {
            return "AccessDenied".equals(code(refused)) ? failed : refused;
        } catch (SdkException alsoFailed) {
            return failed;
        }
    }

    /** Downloads an object to a file, which is overwritten. */
    public void get(S3Place place, Path file) throws IOException {
        Files.deleteIfExists(file);
        boolean isWhole = false;
        try {
            call(
                    place,
                    store -> store.getObject(
                            request -> request.bucket(place.bucket()).key(place.key()),
                            (response, in) -> save(response, in, file)));
            isWhole = true;
        } finally {
            if (!isWhole) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Its exceptions make the SDK retry a broken download, but not a local failure. */
    private static GetObjectResponse save(GetObjectResponse response, InputStream in, Path file) {
        InputStream content = new Content(response, in);
        byte[] some = new byte[BUFFER_BYTES];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int read = read(content, some); read >= 0; read = read(content, some)) {
                out.write(some, 0, read);
            }
            return response;
        } catch (IOException full) {
            Unsaved unsaved = new Unsaved(file, full);
            throw NonRetryableException.create(unsaved.getMessage(), unsaved);
        }
    }

    private static int read(InputStream in, byte[] into) {
        try {
            return in.read(into);
        } catch (IOException broken) {
            throw RetryableException.create(ofNetwork(broken), broken);
        }
    }

    /** The objects with this key prefix, in order of key. */
    public List<S3Place> list(S3Place prefix) throws IOException {
        return call(
                prefix,
                store -> store
                        .listObjectsV2Paginator(
                                request -> request.bucket(prefix.bucket()).prefix(prefix.key()))
                        .contents()
                        .stream()
                        .map(S3Object::key)
                        .map(key -> new S3Place(prefix.bucket(), key))
                        .toList());
    }

    private <T> T call(S3Place place, Function<S3Client, T> request) throws IOException {
        try {
            return request.apply(client);
        } catch (SdkException failed) {
            throw failure(place, failed);
        }
    }

    private IOException failure(S3Place place, SdkException failed) {
        if (failed instanceof ApiCallTimeoutException) {
            return new IOException(place + ": no answer within " + limit.toMillis() / 1e3 + " s", failed);
        }
        return new IOException(place + ": " + reason(place, failed), failed);
    }

    private static String reason(S3Place place, SdkException failed) {
        return failed instanceof S3Exception answer ? ofStore(place, answer) : ofClient(failed);
    }

    private static String ofStore(S3Place place, S3Exception answer) {
        String code = code(answer);
        Optional<String> region = Optional.ofNullable(answer.awsErrorDetails())
                .map(AwsErrorDetails::sdkHttpResponse)
                .flatMap(response -> response.firstMatchingHeader("x-amz-bucket-region"));
        if (answer.statusCode() == MOVED || answer.statusCode() == BAD_REQUEST && region.isPresent()) {
            return "the bucket is in "
                    + region.map(name -> "the region " + name).orElse("another region") + " (set AWS_REGION)";
        }
        if (answer.statusCode() == MISSING) {
            return "NoSuchKey".equals(code) ? "there is no such object" : "there is no bucket " + place.bucket();
        }
        String known = CODES.get(code);
        if (known != null) {
            return known;
        }
        return answer.statusCode() == FORBIDDEN
                ? "access denied" + (code.isEmpty() ? "" : " (" + code + ")")
                : "the store answers HTTP " + answer.statusCode() + text(answer);
    }

    /** The code and the text of the store, in brackets; empty if it gives neither, as in an answer to HEAD. */
    private static String text(S3Exception answer) {
        String text = answer.awsErrorDetails() == null
                ? null
                : answer.awsErrorDetails().errorMessage();
        String both = Stream.of(code(answer), text)
                .filter(word -> word != null && !word.isBlank())
                .distinct()
                .collect(Collectors.joining(": "));
        return both.isEmpty() ? "" : " (" + both + ")";
    }

    /** The innermost cause, since the SDK wraps network errors in its own texts. */
    private static String ofClient(SdkException failed) {
        Optional<IOException> root = Optional.empty();
        for (Throwable cause = failed; cause != null && cause != cause.getCause(); cause = cause.getCause()) {
            if (cause instanceof CertPathBuilderException) {
                return "the store's certificate is not trusted";
            }
            root = cause instanceof IOException broken ? Optional.of(broken) : root;
        }
        return root.map(S3Store::ofNetwork).orElseGet(() -> firstLine(failed));
    }

    private static String ofNetwork(IOException broken) {
        String text = firstLine(broken);
        return broken instanceof UnknownHostException
                ? "unknown host " + text
                : text.substring(0, 1).toLowerCase(Locale.ROOT) + text.substring(1);
    }

    private static String code(S3Exception answer) {
        String code = answer.awsErrorDetails() == null
                ? null
                : answer.awsErrorDetails().errorCode();
        return code == null ? "" : code;
    }

    private static String firstLine(Throwable thrown) {
        return Optional.ofNullable(thrown.getMessage()).stream()
                .flatMap(String::lines)
                .filter(line -> !line.isBlank())
                .findFirst()
                .orElse(thrown.getClass().getSimpleName());
    }

    @Override
    public void close() {
        client.close();
    }

    /** The content of an object, whose early end is an error. The connections of older JDKs take it for the end. */
    private static final class Content extends InputStream {
        private final @Nullable Long expected;
        private final InputStream in;
        private long bytes;

        Content(GetObjectResponse response, InputStream in) {
            this.expected = response.contentLength();
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int read;
            try {
                read = in.read(into, from, length);
            } catch (IOException broken) {
                throw expected == null ? broken : new CutShort(bytes, expected);
            }
            if (read < 0 && expected != null && bytes < expected) {
                throw new CutShort(bytes, expected);
            }
            bytes += Math.max(0, read);
            return read;
        }
    }

    /** A download ended early. It has no cause, which would say less. */
    private static final class CutShort extends IOException {
        private static final long serialVersionUID = 1L;

        private CutShort(long bytes, long expected) {
            super(String.format(Locale.ROOT, "the download ended after %,d of %,d bytes", bytes, expected));
        }
    }

    /** A downloaded object could not be written to its file. */
    private static final class Unsaved extends IOException {
        private static final long serialVersionUID = 1L;

        Unsaved(Path file, IOException cause) {
            super("it cannot be saved in " + file + why(cause));
            addSuppressed(cause); // and no cause: it says less
        }

        private static String why(IOException cause) {
            String text = cause instanceof FileSystemException named ? named.getReason() : cause.getMessage();
            return text == null ? "" : ": " + text;
        }
    }

    /**
     * The SDK's client by the JDK's connections, but with checked exceptions. A connection that broke is thrown unchecked by
     * it, and passes the SDK as no {@link SdkException}.
     */
    private record CheckedHttp(SdkHttpClient http) implements SdkHttpClient {
        @Override
        public ExecutableHttpRequest prepareRequest(HttpExecuteRequest described) {
            ExecutableHttpRequest request = http.prepareRequest(described);
            return new ExecutableHttpRequest() {
                @Override
                public HttpExecuteResponse call() throws IOException {
                    try {
                        return request.call();
                    } catch (UncheckedIOException broken) {
                        throw broken.getCause();
                    }
                }

                @Override
                public void abort() {
                    request.abort();
                }
            };
        }

        @Override
        public String clientName() {
            return http.clientName();
        }

        @Override
        public void close() {
            http.close();
        }
    }

    /** A location in an object store, {@code s3://BUCKET/KEY}; the key may be a prefix of several. */
    public record S3Place(String bucket, String key) {
        private static final int LEAST_NAME = 3;
        private static final int LONGEST_NAME = 63;
        private static final Pattern BUCKET = Pattern.compile("s3://([^/]*)");
        private static final Pattern PLACE = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?");

        /** Parses a location; throws {@link IllegalArgumentException} if it is invalid. */
        public static S3Place parse(String text) {
            Matcher named = BUCKET.matcher(text);
            if (named.lookingAt()
                    && (named.group(1).length() < LEAST_NAME || named.group(1).length() > LONGEST_NAME)) {
                throw new IllegalArgumentException("the name of a bucket must have " + LEAST_NAME + " to "
                        + LONGEST_NAME + " characters, but was '" + named.group(1) + "'");
            }
            Matcher parts = PLACE.matcher(text);
            if (!parts.matches()) {
                throw new IllegalArgumentException(
                        "a place in an object store must be s3://BUCKET/KEY, the bucket's name in lower case, but was '"
                                + text + "'");
            }
            String key = parts.group(2);
            return new S3Place(parts.group(1), key == null ? "" : key);
        }

        @Override
        public String toString() {
            return "s3://" + bucket + "/" + key;
        }
    }
}
