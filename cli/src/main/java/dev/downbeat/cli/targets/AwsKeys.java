package dev.downbeat.cli.targets;

import dev.downbeat.cli.measurement.Requests;
import dev.downbeat.cli.measurement.option.OptionalJar;
import dev.downbeat.exchange.Secret;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.SigV4;
import dev.downbeat.sqs.client.MissingCredentials;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/**
 * The keys that sign requests for AWS: those of the environment, or what the SDK's chain finds (profiles, single
 * sign-on, roles). The SDK is in a separate jar that may be missing; only {@link Chain} uses it.
 */
public final class AwsKeys {

    /** The SDK's HTTP client for STS and single sign-on; the class path has several. */
    private static final String HTTP_SERVICE = "software.amazon.awssdk.http.service.impl";

    private AwsKeys() {}

    /** The same requests, signed if requested; refuses missing keys with one line. */
    public static RequestSet signed(RequestSet set, Requests options) {
        return options.awsSigv4().isEmpty()
                ? set
                : set.signedBy(SigV4.parse(options.awsSigv4().get(), keys(System.getenv())));
    }

    private static Supplier<SigV4.Keys> keys(Map<String, String> environment) {
        Optional<SigV4.Keys> ofEnvironment = SigV4.Keys.of(environment);
        if (ofEnvironment.isPresent()) {
            return ofEnvironment::get;
        }
        OptionalJar.SQS.require("--aws-sigv4 without AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment");
        return new Chain();
    }

    /** Makes the SDK use the JDK's client for its own requests. Only the first call has an effect. */
    public static void chooseHttpClient() {
        if (System.getProperty(HTTP_SERVICE) == null) {
            System.setProperty(HTTP_SERVICE, "software.amazon.awssdk.http.urlconnection.UrlConnectionSdkHttpService");
        }
    }

    /** The SDK refreshes keys that expire. Thread-safe. */
    private static final class Chain implements Supplier<SigV4.Keys> {
        private final DefaultCredentialsProvider provider;
        private volatile @Nullable DerivedKeys last;

        /** The SDK's credentials and the keys derived from them. */
        private record DerivedKeys(AwsCredentials given, SigV4.Keys keys) {}

        Chain() {
            chooseHttpClient();
            provider = DefaultCredentialsProvider.builder().build();
        }

        @Override
        public SigV4.Keys get() {
            DerivedKeys known = last;
            try {
                AwsCredentials now = provider.resolveCredentials();
                if (known == null || known.given() != now) {
                    known = new DerivedKeys(now, keys(now));
                    last = known;
                }
            } catch (RuntimeException refused) {
                if (known == null) {
                    throw new IllegalArgumentException(
                            "--aws-sigv4: no credentials found: " + MissingCredentials.reason(), refused);
                }
                // keeps the expired keys; the service then rejects each request
            }
            return known.keys();
        }

        private static SigV4.Keys keys(AwsCredentials given) {
            Optional<Secret> token = given instanceof AwsSessionCredentials session
                    ? Optional.of(Secret.of(session.sessionToken()))
                    : Optional.empty();
            return new SigV4.Keys(given.accessKeyId(), Secret.of(given.secretAccessKey()), token);
        }
    }
}
