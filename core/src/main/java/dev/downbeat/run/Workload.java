package dev.downbeat.run;

import dev.downbeat.arrival.ArrivalProcess;
import dev.downbeat.run.engine.LoadRun;
import java.util.Objects;

/** Who decides when the next request is meant to start. */
public sealed interface Workload {
    /** "open", "closed" or "partly-open". */
    String kind();

    /** How many clients ask again only after an answer; 0 if requests do not wait for answers. */
    default int waitingClients() {
        return 0;
    }

    /** Whether as much is asked at the end as at the begin, so that a change in what is measured is none of the load. */
    default boolean isSteady() {
        return false;
    }

    /**
     * Open: requests arrive by a law of their own and ignore completions.
     *
     * @param arrivals the law
     */
    record Open(ArrivalProcess arrivals) implements Workload {
        /** Checks that it is there. */
        public Open {
            Objects.requireNonNull(arrivals, "arrivals");
        }

        @Override
        public String kind() {
            return "open";
        }

        @Override
        public boolean isSteady() {
            return arrivals.isSteady();
        }
    }

    /**
     * Closed: a fixed number of clients, each of which waits for its answer, thinks, and asks again. The service slows
     * its own load down, so response times are not those that an open population would meet.
     *
     * @param clients at least 1
     * @param think pause between an answer and the next request
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
    }

    /**
     * Partly open (Schroeder, Wierman, Harchol-Balter 2006): sessions arrive by a law of their own, and each issues
     * several requests, one at a time. Each request has a planned time, fixed when the session arrives: the arrival
     * plus the think times up to it. A request whose predecessor is late waits, and the wait counts, since its user
     * wanted it at the planned time.
     *
     * @param sessions the law by which sessions arrive
     * @param requests requests of each session; at least 1
     * @param think time from one planned request of a session to the next
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
        public boolean isSteady() {
            return sessions.isSteady();
        }
    }

    /**
     * Driven by somebody else, such as Gatling: it decides when requests are meant to start and sends them. Only its
     * results are ours to count, so a {@link LoadRun} cannot run it.
     *
     * @param kind "open", "closed" or "partly-open"
     * @param description the load in words: {@code open loop, 4,000 users}
     * @param waitingClients how many clients ask again only after an answer; 0 if none
     */
    record External(String kind, String description, int waitingClients) implements Workload {
        private static final String CALLERS = "callers of their own";

        /** The requests that a service gets: nobody here sends them. */
        public static External ofCallers() {
            return new External("open", CALLERS, 0);
        }

        /** Whether the requests came to us, instead of being sent by somebody whom we watch. */
        public boolean isOfCallers() {
            return description.equals(CALLERS);
        }

        public External {
            Objects.requireNonNull(kind, "kind");
            Objects.requireNonNull(description, "description");
            if (waitingClients < 0) {
                throw new IllegalArgumentException("waitingClients must be at least 0, but was " + waitingClients);
            }
        }
    }
}
