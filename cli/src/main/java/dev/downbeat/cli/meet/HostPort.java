package dev.downbeat.cli.meet;

/** Where shard 0 listens. */
record HostPort(String host, int port) {
    @Override
    public String toString() {
        return "tcp:" + host + ":" + port;
    }
}
