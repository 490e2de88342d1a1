package dev.downbeat.record;

/**
 * What requests waited for before they were sent, for a connection, and for a window.
 *
 * @param lateness all requests that were noticed before the end: from intended to dispatched, our own fault
 * @param backlogWait requests that were sent: from dispatched to started; no connection was free, or with streams no stream
 * @param lookup requests that needed a name lookup: its time
 * @param connect requests that opened a connection: time of the connect
 * @param handshake requests that opened a TLS connection: time of the handshake
 * @param window requests whose body had to wait for the server's flow-control window: for how long
 */
public record Waits(
        Distribution lateness,
        Distribution backlogWait,
        Distribution lookup,
        Distribution connect,
        Distribution handshake,
        Distribution window) {
    /** Nobody waited. */
    public static final Waits NONE = of(Distribution.empty(), Distribution.empty());

    /** Of requests that opened no connection. */
    public static Waits of(Distribution lateness, Distribution backlogWait) {
        Distribution none = Distribution.empty();
        return new Waits(lateness, backlogWait, none, none, none, none);
    }

    /** The same without what only whole runs are asked for. */
    Waits forTimeline() {
        return new Waits(
                lateness, backlogWait, Distribution.empty(), connect, Distribution.empty(), Distribution.empty());
    }

    /** All waits of either. */
    public Waits plus(Waits other) {
        if (this == NONE || other == NONE) {
            return this == NONE ? other : this;
        }
        return new Waits(
                lateness.plus(other.lateness),
                backlogWait.plus(other.backlogWait),
                lookup.plus(other.lookup),
                connect.plus(other.connect),
                handshake.plus(other.handshake),
                window.plus(other.window));
    }
}
