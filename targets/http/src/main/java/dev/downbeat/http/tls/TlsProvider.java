package dev.downbeat.http.tls;

import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/** An implementation of TLS, if it is not to be the JDK's. Thread-safe. */
public interface TlsProvider {
    /** How a report names it: one word. */
    String name();

    /** Whether it works on memory outside the heap; the JDK's ciphers work on arrays. */
    boolean isNative();

    /**
     * What makes the engines of one target.
     *
     * @param trust whom to trust; null for those whom the JDK trusts
     * @param keys who we are; may be empty
     * @param resume whether a connection may continue the session of an earlier one
     * @param offered what a server may choose to be spoken (ALPN), the best first; empty if nothing is said about it. The
     *     parameters of each engine say it, too, if anything
     * @throws GeneralSecurityException if it cannot trust these, or show those
     */
    Engines engines(@Nullable List<TrustManager> trust, List<KeyManager> keys, boolean resume, List<String> offered)
            throws GeneralSecurityException;

    /** Makes the engines of one target. Thread-safe. */
    interface Engines {
        /**
         * A client's engine, whose parameters the caller sets.
         *
         * @param host whom it will speak to: the name that it asks for, unless the parameters say another
         * @param place sessions are continued by engines of the same host and place
         */
        SSLEngine newEngine(String host, int place) throws GeneralSecurityException;

        /**
         * Whether a handshake, which is over, continued an earlier session. Called once for each.
         *
         * @param beganMillis when the engine was made, by the wall clock
         */
        boolean resumed(SSLEngine engine, long beganMillis);

        /** Frees what an engine holds; nobody uses it any more. */
        void release(SSLEngine engine);
    }
}
