package dev.downbeat.sqs.client;

import dev.downbeat.sqs.options.SqsOptions;
import dev.downbeat.sqs.options.SqsProxy;
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
 * Where the service is, and how to talk to it.
 *
 * @param options what the user said
 * @param region what the user said, the queue's URL, or the SDK's settings
 * @param endpoint what the user said, or the queue's URL; else the SDK makes it from the region
 * @param credentials what the user said; else the SDK finds them, and a server on this machine takes any
 * @param isInThisProcess whether it is the server of the rehearsal, which knows no checksums and is reached by no proxy
 */
public record ServicePlace(
        SqsOptions options,
        String region,
        Optional<URI> endpoint,
        Optional<AwsCredentialsProvider> credentials,
        boolean isInThisProcess) {
    private static final String QUEUES = "sqs";
    private static final String TOPICS = "sns";
    private static final String ANY_REGION = "us-east-1";

    /**
     * What is configured, or anything: a server on this machine asks for a signature, and knows nobody. One for all places,
     * so that two queues of one server are in the same place.
     */
    private static final AwsCredentialsProvider FOR_THIS_MACHINE = AwsCredentialsProviderChain.builder()
            .reuseLastProviderEnabled(false)
            .credentialsProviders(
                    SystemPropertyCredentialsProvider.create(),
                    EnvironmentVariableCredentialsProvider.create(),
                    ProfileCredentialsProvider.create(),
                    StaticCredentialsProvider.create(AwsBasicCredentials.create("anybody", "nothing")))
            .build();

    /**
     * Where a queue is.
     *
     * @throws IllegalArgumentException if nothing says in which region
     */
    public static ServicePlace of(QueueName queue, SqsOptions options) {
        Optional<URI> endpoint = options.client().endpoint().or(queue::endpoint).or(() -> configuredEndpoint(QUEUES));
        boolean here = endpoint.map(URI::getHost).filter(ServicePlace::isHere).isPresent();
        String region = options.client()
                .region()
                .or(queue::region)
                .or(ServicePlace::configuredRegion)
                .or(() -> here ? Optional.of(ANY_REGION) : Optional.empty())
                .orElseThrow(() -> new IllegalArgumentException("no region for the queue " + queue.name()
                        + ": give one (--region), set AWS_REGION, or name one in the profile of ~/.aws/config"));
        Optional<AwsCredentialsProvider> credentials =
                options.client().credentials().or(() -> here ? Optional.of(FOR_THIS_MACHINE) : Optional.empty());
        ServicePlace place = new ServicePlace(options, region, endpoint, credentials, false);
        if (options.client().transport() == SqsTransport.DOWNBEAT
                && place.proxy().isPresent()
                && place.isEncrypted()) {
            throw new IllegalArgumentException("the downbeat transport reaches "
                    + place.service().getHost()
                    + " by no proxy, and " + SqsProxy.shown(place.proxy().get())
                    + " is configured: give --transport netty, or --proxy none");
        }
        return place;
    }

    /** The topic by which messages go to the queue, if one is meant. */
    public Optional<Topic> topic() {
        return options.use().through();
    }

    /**
     * Where a topic is: in its own region, or where its endpoint is said to be. A server that is not Amazon's is taken to
     * speak of topics where it speaks of queues.
     */
    ServicePlace forTopic(Topic topic) {
        Optional<URI> there = options.client()
                .topicEndpoint()
                .or(() -> configuredEndpoint(TOPICS))
                .or(() -> endpoint.filter(uri -> !QueueName.isAmazon(String.valueOf(uri.getHost()))));
        boolean isHere = there.map(URI::getHost).filter(ServicePlace::isHere).isPresent();
        return new ServicePlace(
                options,
                topic.region().orElse(region),
                there,
                isHere ? credentials.or(() -> Optional.of(FOR_THIS_MACHINE)) : credentials,
                isInThisProcess);
    }

    /** By which proxy the service is reached; empty if by none, as a server in this process always is. */
    public Optional<URI> proxy() {
        return isInThisProcess ? Optional.empty() : options.client().proxy().to(service());
    }

    private boolean isEncrypted() {
        return "https".equals(service().getScheme());
    }

    /** Where requests go, as far as that is known before the SDK makes it from the region. */
    private URI service() {
        return endpoint.orElseGet(() -> URI.create("https://sqs." + region + ".amazonaws.com"));
    }

    /** Whether it is Amazon that is asked, and that bills. */
    public boolean isAmazon() {
        return QueueName.isAmazon(String.valueOf(service().getHost()));
    }

    /** What the environment, a system property or the AWS profile says. */
    @SuppressWarnings("deprecation") // the SDK's own clients find it so; there is no other way to it
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

    /** As the SDK finds it, but without a question to the network: it would ask the machine's own metadata service. */
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
