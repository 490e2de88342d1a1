package dev.downbeat.sqs.client;

/** Creates SDK clients with the configured HTTP client. */
public final class SdkClients {
    private SdkClients() {}

    /** A new client with this maximum number of connections. */
    public static SdkConnection open(ServicePlace place, int connections, ConnectionLog log) {
        return switch (place.options().client().transport()) {
            case DOWNBEAT -> {
                EngineHttp client = EngineHttp.of(place, connections, log);
                yield SdkConnection.async(place, client, log, client);
            }
            case APACHE -> {
                ApacheTelemetry telemetry = new ApacheTelemetry(log);
                yield SdkConnection.blocking(place, telemetry.client(place, connections), log, telemetry);
            }
            case NETTY -> {
                NettyTelemetry telemetry = new NettyTelemetry(log);
                yield SdkConnection.async(place, telemetry.client(place, connections), log, telemetry);
            }
            case URL_CONNECTION ->
                SdkConnection.blocking(place, PlainClients.urlConnection(place), log, AttemptWatch.NONE);
            case CRT -> SdkConnection.async(place, PlainClients.crt(place, connections), log, AttemptWatch.NONE);
        };
    }
}
