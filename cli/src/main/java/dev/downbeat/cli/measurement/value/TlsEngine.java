package dev.downbeat.cli.measurement.value;

/** {@code --tls-engine}: who encrypts. */
public enum TlsEngine {
    /** The JDK, which is always there. */
    JDK,
    /** Native ciphers, from a jar of their own. */
    BORINGSSL,
    /** Native ciphers where there are some. */
    AUTO
}
