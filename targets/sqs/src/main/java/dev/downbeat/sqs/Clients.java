package dev.downbeat.sqs;

/** Makes the SDK's clients, each with the HTTP client that the options name. */
final class Clients {
    private Clients() {}

    /** A client of its own with so many connections at most. */
    static Connections open(Place place, int connections, ConnectionLog log) {
        return switch (place.options().client().transport()) {
            case DOWNBEAT -> {
                EngineHttp client = EngineHttp.of(place, connections, log);
                yield Connections.async(place, client, log, client);
            }
            case APACHE -> {
                ApacheTelemetry telemetry = new ApacheTelemetry(log);
                yield Connections.blocking(place, telemetry.client(place, connections), log, telemetry);
            }
            case NETTY -> {
                NettyTelemetry telemetry = new NettyTelemetry(log);
                yield Connections.async(place, telemetry.client(place, connections), log, telemetry);
            }
            case URL_CONNECTION ->
                Connections.blocking(place, PlainClients.urlConnection(place), log, AttemptWatch.NONE);
            case CRT -> Connections.async(place, PlainClients.crt(place, connections), log, AttemptWatch.NONE);
        };
    }
}
