package dev.downbeat.run;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.arrival.Constant;
import dev.downbeat.arrival.Poisson;
import dev.downbeat.run.engine.LoadRun;
import java.util.Objects;
import java.util.OptionalDouble;

/** Determines when requests should start. */
public sealed interface Workload {
    /** "open", "closed" or "partly-open". */
    String kind();

    /** The number of clients that wait for a response before their next request; 0 if requests do not wait. */
    default int waitingClients() {
        return 0;
    }

    /** The requests per second asked for, those of whole sessions included; empty if there is no single rate. */
    default OptionalDouble ratePerSecond() {
        return OptionalDouble.empty();
    }

    private static OptionalDouble ratePerSecond(ArrivalProcess arrivals, int requests) {
        if (arrivals instanceof Constant constant) {
            return OptionalDouble.of(constant.rate().perSecond() * requests);
        }
        return arrivals instanceof Poisson poisson
                ? OptionalDouble.of(poisson.rate().perSecond() * requests)
                : OptionalDouble.empty();
    }

    /** The number of requests of a session; 1 if there are no sessions. */
    default int steps() {
        return 1;
    }

    /** Whether the load is the same from start to end, so that a change in the measurements is not caused by it. */
    default boolean isSteady() {
        return false;
    }

    /**
     * An open loop: requests arrive by an arrival process, independent of completions.
     *
     * @param arrivals the arrival process
     */
    record Open(ArrivalProcess arrivals) implements Workload {
        public Open {
            Objects.requireNonNull(arrivals, "arrivals");
        }

        @Override
        public String kind() {
            return "open";
        }

        @Override
        public OptionalDouble ratePerSecond() {
            return Workload.ratePerSecond(arrivals, 1);
        }

        @Override
        public boolean isSteady() {
            return arrivals.isSteady();
        }
    }

    /**
     * A closed loop: each of a fixed number of clients waits for its response, thinks, and sends its next request. A
     * slow service slows its own load down, so response times are not those of an open population.
     *
     * @param clients at least 1
     * @param think pause between a response and the next request
     */
    record Closed(int clients, ThinkTime think) implements Workload {
        public Closed {
            if (clients < 1) {
                throw new IllegalArgumentException("clients must be at least 1, but was " + clients);
            }
            Objects.requireNonNull(think, "think");
        }

        @Override
        public String kind() {
            return "closed";
        }

        @Override
        public boolean isSteady() {
            return true;
        }

        @Override
        public int waitingClients() {
            return clients;
        }

        @Override
        public int steps() {
            return think.steps();
        }
    }

    /**
     * A partly open loop (Schroeder, Wierman, Harchol-Balter 2006): sessions arrive by an arrival process, and each
     * sends several requests, one at a time. Its first request is intended at its arrival, each other one a think time
     * after the end of the one before: a response, a failure or a timeout. What would follow a request that never ended
     * is not intended.
     *
     * @param sessions the arrival process of sessions
     * @param requests requests per session; at least 1
     * @param think pause between a response and the next request of a session
     */
    record PartlyOpen(ArrivalProcess sessions, int requests, ThinkTime think) implements Workload {
        public PartlyOpen {
            Objects.requireNonNull(sessions, "sessions");
            Objects.requireNonNull(think, "think");
            if (requests < 1) {
                throw new IllegalArgumentException("requests must be at least 1, but was " + requests);
            }
        }

        @Override
        public String kind() {
            return "partly-open";
        }

        @Override
        public OptionalDouble ratePerSecond() {
            return Workload.ratePerSecond(sessions, requests);
        }

        @Override
        public int steps() {
            return requests;
        }

        @Override
        public boolean isSteady() {
            return sessions.isSteady();
        }
    }

    /**
     * Driven by another tool, such as Gatling, which schedules and sends the requests. Downbeat only counts the
     * results, so {@link LoadRun} cannot run it.
     *
     * @param kind "open", "closed" or "partly-open"
     * @param description a description of the load: {@code open loop, 4,000 users}
     * @param waitingClients number of clients that wait for a response before their next request; 0 if none
     * @param recordedBy who recorded the requests
     */
    record External(String kind, String description, int waitingClients, RecordedBy recordedBy) implements Workload {
        public enum RecordedBy {
            /** The client that sent them. */
            SENDER,
            /** The service that received them; Downbeat sends none. */
            SERVICE,
            /** The consumer of the queue in which they waited as messages. */
            CONSUMER
        }

        public External {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(description, "description");
            Objects.requireNonNull(recordedBy, "recordedBy");
            if (waitingClients < 0) {
                throw new IllegalArgumentException("waitingClients must be at least 0, but was " + waitingClients);
            }
        }

        /** Requests recorded by the client that sent them. */
        public External(String kind, String description, int waitingClients) {
            this(kind, description, waitingClients, RecordedBy.SENDER);
        }

        /** The requests of a user's own load generator. */
        public static External ofGenerator() {
            return new External("open", "another load generator", 0);
        }

        /** The incoming requests of a service. */
        public static External ofCallers() {
            return new External("open", "incoming requests", 0, RecordedBy.SERVICE);
        }

        /** The messages that a consumer takes from a queue. */
        public static External ofQueue() {
            return new External("open", "messages of a queue", 0, RecordedBy.CONSUMER);
        }

        /** Whether the requests are incoming ones, rather than sent by an observed client. */
        public boolean isIncoming() {
            return recordedBy != RecordedBy.SENDER;
        }

        /** Whether it is an interval of a live process, which need not include every kind of request. */
        public boolean isLive() {
            return isIncoming() || equals(ofGenerator());
        }

        /** Whether the requests are messages, which wait in a queue. */
        public boolean isOfQueue() {
            return recordedBy == RecordedBy.CONSUMER;
        }
    }
}
