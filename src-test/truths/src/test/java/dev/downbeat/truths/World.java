package dev.downbeat.truths;

import java.util.ArrayList;
import java.util.List;

/** A service, a network and a client on paper. Set up with its methods, which return it; not changed once a run began. */
final class World {
    /** More than requests are ever out at the same time: nobody counts them. */
    static final int ENOUGH = 20_000;

    final Work work;
    final int servers;

    /** When no work is done, by backend; requests go round the backends in turn. */
    final List<List<Span>> stalls = new ArrayList<>();

    final List<Fault> faults = new ArrayList<>();
    final List<Span> ownPauses = new ArrayList<>();
    boolean sharing;
    boolean dropsAbandoned;
    int queueLimit = Integer.MAX_VALUE;
    int connections = ENOUGH;
    long sendNanos;
    long tickNanos;
    List<String> names = List.of();
    List<Double> workByName = List.of();

    private World(Work work, int servers) {
        this.work = work;
        this.servers = servers;
        stalls.add(new ArrayList<>());
    }

    /** One backend with some servers and a queue without end, first come first served. */
    static World of(Work work, int servers) {
        return new World(work, servers);
    }

    /** So many backends, each with as many servers. */
    World backends(int count) {
        while (stalls.size() < count) {
            stalls.add(new ArrayList<>());
        }
        return this;
    }

    /** All backends stall. */
    World stall(Span span) {
        stalls.forEach(each -> each.add(span));
        return this;
    }

    /** The first backend stalls. */
    World firstStalls(Span span) {
        stalls.get(0).add(span);
        return this;
    }

    /** The servers of a backend share themselves evenly among its requests, rather than take one each; it never stalls. */
    World sharing() {
        sharing = true;
        return this;
    }

    /** A request that nobody waits for is dropped when its turn comes, instead of being worked on in vain. */
    World dropsAbandoned(boolean drops) {
        dropsAbandoned = drops;
        return this;
    }

    /** So many wait at a backend; whoever comes then gets HTTP 503. */
    World queueLimit(int most) {
        queueLimit = most;
        return this;
    }

    /** So many requests are out at the same time. */
    World connections(int most) {
        connections = most;
        return this;
    }

    /** Some requests end otherwise; of several faults the first counts. */
    World fault(Span when, double share, Fault.Kind kind, double afterSeconds) {
        return faultOf("", when, share, kind, afterSeconds);
    }

    /** Some requests of one name end otherwise. */
    World faultOf(String name, Span when, double share, Fault.Kind kind, double afterSeconds) {
        faults.add(new Fault(when, share, kind, Math.round(afterSeconds * 1e9), name));
        return this;
    }

    /** This client does nothing for a while. */
    World pausedOurselves(Span span) {
        ownPauses.add(span);
        return this;
    }

    /** Each send costs this client so long. */
    World sendingTakes(double seconds) {
        sendNanos = Math.round(seconds * 1e9);
        return this;
    }

    /** Answers leave at multiples of it only. */
    World answersAtTicks(double seconds) {
        tickNanos = Math.round(seconds * 1e9);
        return this;
    }

    /** Requests have these names in turn; the work for each differs by a factor. */
    World named(List<String> of, List<Double> factors) {
        names = of;
        workByName = factors;
        return this;
    }

    /** The name of a request; empty if it has none. */
    String nameOf(long index) {
        return names.isEmpty() ? "" : names.get((int) (index % names.size()));
    }
}
