package dev.downbeat.sqs.client;

import dev.downbeat.http.options.HttpOptions.Proxy;
import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsTransport;
import dev.downbeat.sqs.options.Topic;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProviderChain;
import software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider;
import software.amazon.awssdk.awscore.endpoint.AwsClientEndpointProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProviderChain;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;

/**
 * The address of the service and how to access it.
 *
 * @param options the user's options
 * @param region from the user, the queue's URL, or the SDK's settings
 * @param endpoint from the user or the queue's URL; otherwise the SDK derives it from the region
 * @param credentials from the user; otherwise the SDK's, and any for a server on this machine
 * @param isInThisProcess whether it is the local warm-up server, which supports no checksums and is never behind a
 *     proxy
 */
public record ServiceEndpoint(
        SqsOptions options,
        String region,
        Optional<URI> endpoint,
        Optional<AwsCredentialsProvider> credentials,
        boolean isInThisProcess) {
    private static final String QUEUES = "sqs";
    private static final String TOPICS = "sns";
    private static final String ANY_REGION = "us-east-1";

    /**
     * Configured credentials, or dummies: a server on this machine requires a signature but knows no accounts. One
     * instance for all endpoints, so that two queues of one server have equal ones.
     */
    private static final AwsCredentialsProvider LOCAL_CREDENTIALS = AwsCredentialsProviderChain.builder()
            .reuseLastProviderEnabled(false)
            .credentialsProviders(
                    SystemPropertyCredentialsProvider.create(),
                    EnvironmentVariableCredentialsProvider.create(),
                    ProfileCredentialsProvider.create(),
                    StaticCredentialsProvider.create(AwsBasicCredentials.create("anybody", "nothing")))
            .build();

    /**
     * The endpoint of a queue.
     *
     * @throws IllegalArgumentException if the region is unknown
     */
    public static ServiceEndpoint of(QueueName queue, SqsOptions options) {
        Optional<URI> endpoint = options.client().endpoint().or(queue::endpoint).or(() -> configuredEndpoint(QUEUES));
        boolean here =
                endpoint.map(URI::getHost).filter(ServiceEndpoint::isHere).isPresent();
        String region = options.client()
                .region()
                .or(queue::region)
                .or(ServiceEndpoint::configuredRegion)
                .or(() -> here ? Optional.of(ANY_REGION) : Optional.empty())
                .orElseThrow(
                        () -> new IllegalArgumentException(
                                "no region for the queue " + queue.name()
                                        + ": give one (--region; API: region), set AWS_REGION, or name one in the profile of ~/.aws/config"));
        Optional<AwsCredentialsProvider> credentials =
                options.client().credentials().or(() -> here ? Optional.of(LOCAL_CREDENTIALS) : Optional.empty());
        ServiceEndpoint service = checked(new ServiceEndpoint(options, region, endpoint, credentials, false));
        service.topic().ifPresent(service::forTopic);
        return service;
    }

    /** Downbeat's own client has no tunnels, and must not send a proxy unencrypted what would be encrypted. */
    private static ServiceEndpoint checked(ServiceEndpoint service) {
        if (service.options().client().transport() == SqsTransport.DOWNBEAT
                && service.proxy().isPresent()
                && service.isEncrypted()) {
            throw new IllegalArgumentException("the downbeat transport cannot use a proxy for "
                    + service.address().getHost() + ", but "
                    + service.proxy().get()
                    + " is configured: give --transport netty or --proxy none, or except it in no_proxy");
        }
        return service;
    }

    /** The topic that delivers to the queue, if configured. */
    public Optional<Topic> topic() {
        return options.use().through();
    }

    /**
     * The endpoint of a topic: its own region, or its configured endpoint. A server other than Amazon's is assumed to
     * serve topics and queues at the same endpoint.
     */
    ServiceEndpoint forTopic(Topic topic) {
        Optional<URI> there = options.client()
                .topicEndpoint()
                .or(() -> configuredEndpoint(TOPICS))
                .or(() -> endpoint.filter(uri -> !QueueName.isAmazon(String.valueOf(uri.getHost()))));
        boolean isHere = there.map(URI::getHost).filter(ServiceEndpoint::isHere).isPresent();
        return checked(new ServiceEndpoint(
                options,
                topic.region().orElse(region),
                there,
                isHere ? credentials.or(() -> Optional.of(LOCAL_CREDENTIALS)) : credentials,
                isInThisProcess));
    }

    /** The proxy for the service; empty if none, as always for a server in this process. */
    public Optional<Proxy> proxy() {
        return isInThisProcess ? Optional.empty() : options.client().proxy().to(address());
    }

    private boolean isEncrypted() {
        return "https".equals(address().getScheme());
    }

    /** The address of requests, as far as known before the SDK derives it from the region. */
    private URI address() {
        return endpoint.orElseGet(() -> URI.create("https://sqs." + region + ".amazonaws.com"));
    }

    /** For messages: {@code at HOST:PORT}, or the region. */
    public String where() {
        return endpoint.map(uri -> "at " + uri.getAuthority()).orElse("in " + region);
    }

    /** Whether the service is Amazon's, which bills. */
    public boolean isAmazon() {
        return QueueName.isAmazon(String.valueOf(address().getHost()));
    }

    /** From the environment, a system property or the AWS profile. */
    @SuppressWarnings("deprecation") // as the SDK's own clients do; there is no other access to it
    private static Optional<URI> configuredEndpoint(String service) {
        try {
            AwsClientEndpointProvider found = AwsClientEndpointProvider.builder()
                    .serviceEndpointOverrideEnvironmentVariable("AWS_ENDPOINT_URL_" + service.toUpperCase(Locale.ROOT))
                    .serviceEndpointOverrideSystemProperty(
                            "aws.endpointUrl" + service.substring(0, 1).toUpperCase(Locale.ROOT) + service.substring(1))
                    .serviceProfileProperty(service)
                    .build();
            return found.isEndpointOverridden() ? Optional.of(found.clientEndpoint()) : Optional.empty();
        } catch (SdkClientException none) {
            return Optional.empty();
        }
    }

    /** As the SDK does, but without the network: it would query the instance metadata service. */
    private static Optional<String> configuredRegion() {
        try {
            return Optional.of(
                    new AwsRegionProviderChain(new SystemSettingsRegionProvider(), new AwsProfileRegionProvider())
                            .getRegion()
                            .id());
        } catch (SdkClientException none) {
            return Optional.empty();
        }
    }

    static boolean isHere(String host) {
        return host.equals("localhost")
                || host.startsWith("127.")
                || host.equals("[::1]")
                || host.endsWith(".localhost")
                || host.endsWith("localhost.localstack.cloud"); // which is 127.0.0.1
    }
}
