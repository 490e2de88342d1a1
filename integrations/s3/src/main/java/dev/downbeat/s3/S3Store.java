package dev.downbeat.s3;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/**
 * An object store: Amazon's, or one that speaks as it does, named by {@code AWS_ENDPOINT_URL_S3} or {@code
 * AWS_ENDPOINT_URL}. Region and credentials come from the SDK's default chains. What fails is tried anew as the SDK sees
 * fit: a result is worth a few seconds. Thread-safe.
 */
public final class S3Store implements AutoCloseable {
    private static final int FORBIDDEN = 403;
    private static final int MISSING = 404;

    private final S3Client client;

    private S3Store(S3Client client) {
        this.client = client;
    }

    /**
     * The store that the environment names.
     *
     * @throws IOException if no region or a wrong endpoint is named
     */
    public static S3Store open() throws IOException {
        try {
            S3ClientBuilder client = S3Client.builder()
                    .httpClientBuilder(UrlConnectionHttpClient.builder())
                    .crossRegionAccessEnabled(true);
            // A store of one's own is seldom to be found by a host name for each bucket.
            endpoint().ifPresent(uri -> client.endpointOverride(uri).forcePathStyle(true));
            return new S3Store(client.build());
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

    /**
     * Refuses a bucket that is not there, or credentials that are none. Who may write but not look is not refused.
     *
     * @throws IOException with the reason in one line
     */
    public void check(S3Place place) throws IOException {
        try {
            client.headBucket(request -> request.bucket(place.bucket()));
        } catch (S3Exception refused) {
            if (refused.statusCode() != FORBIDDEN) {
                throw failure(place, refused);
            }
        } catch (SdkException failed) {
            throw failure(place, failed);
        }
    }

    /**
     * Uploads a file; whoever reads sees all of it or none.
     *
     * @throws IOException with the reason in one line
     */
    public void put(S3Place place, Path file) throws IOException {
        try {
            client.putObject(request -> request.bucket(place.bucket()).key(place.key()), file);
        } catch (S3Exception refused) {
            throw failure(place, refused);
        } catch (SdkException failed) {
            throw failure(place, whyNotWritten(place, failed));
        }
    }

    /**
     * A store that does not know our key may close the connection before it has read the file, and its answer is lost:
     * asks again with nothing to send. That we may not list says nothing about writing.
     */
    private SdkException whyNotWritten(S3Place place, SdkException failed) {
        try {
            client.listObjectsV2(request ->
                    request.bucket(place.bucket()).prefix(place.key()).maxKeys(1));
            return failed;
        } catch (S3Exception refused) {
            return "AccessDenied".equals(code(refused)) ? failed : refused;
        } catch (SdkException alsoFailed) {
            return failed;
        }
    }

    /**
     * Downloads an object.
     *
     * @param file is overwritten
     * @throws IOException with the reason in one line
     */
    public void get(S3Place place, Path file) throws IOException {
        Files.deleteIfExists(file);
        asking(
                place,
                store -> store.getObject(
                        request -> request.bucket(place.bucket()).key(place.key()), file));
    }

    /**
     * The objects whose keys begin with this one's, in the order of their keys.
     *
     * @throws IOException with the reason in one line
     */
    public List<S3Place> list(S3Place prefix) throws IOException {
        return asking(
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

    private <T> T asking(S3Place place, Function<S3Client, T> question) throws IOException {
        try {
            return question.apply(client);
        } catch (SdkException failed) {
            throw failure(place, failed);
        }
    }

    private static IOException failure(S3Place place, SdkException failed) {
        return new IOException(place + ": " + reason(place, failed), failed);
    }

    private static String reason(S3Place place, SdkException failed) {
        if (!(failed instanceof S3Exception answer)) {
            return firstLine(failed);
        }
        String code = code(answer);
        if (answer.statusCode() == MISSING) {
            return "NoSuchKey".equals(code) ? "there is no such object" : "there is no bucket " + place.bucket();
        }
        return answer.statusCode() == FORBIDDEN
                ? "access denied" + (code.isEmpty() ? "" : " (" + code + ")")
                : firstLine(failed);
    }

    private static String code(S3Exception answer) {
        String code = answer.awsErrorDetails() == null
                ? null
                : answer.awsErrorDetails().errorCode();
        return code == null ? "" : code;
    }

    private static String firstLine(Throwable thrown) {
        String text = thrown.getMessage() == null ? thrown.getClass().getSimpleName() : thrown.getMessage();
        return text.lines().findFirst().orElse("");
    }

    @Override
    public void close() {
        client.close();
    }
}
