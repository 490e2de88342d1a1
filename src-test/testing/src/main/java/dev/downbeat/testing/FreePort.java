package dev.downbeat.testing;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports that nobody listens on. */
public final class FreePort {
    private FreePort() {}

    /**
     * A port on 127.0.0.1 with no listener a moment ago. It is below the ephemeral range, so no other socket is likely
     * to get it and no connect to it can connect to itself.
     *
     * @throws IOException if none is found in 1000 tries
     */
    public static int find() throws IOException {
        for (int i = 0; i < 1000; i++) {
            int candidate = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            try (ServerSocket socket = new ServerSocket()) {
                socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), candidate));
                return candidate;
            } catch (BindException e) {
                // Already taken: try another.
            }
        }
        throw new IOException("no free port between 20000 and 31999 on 127.0.0.1");
    }
}
