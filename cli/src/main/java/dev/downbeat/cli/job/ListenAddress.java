package dev.downbeat.cli.job;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** An address to listen on. */
public final class ListenAddress {
    private static final int LAST_PORT = 65_535;

    private ListenAddress() {}

    /** Parses {@code :PORT}, reachable from this machine only, or {@code HOST:PORT}. */
    public static final class Converter implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String text) {
            int colon = text.lastIndexOf(':');
            if (colon < 0 || !text.substring(colon + 1).matches("[0-9]{1,5}")) {
                throw new TypeConversionException("an address must be :PORT or HOST:PORT, but was '" + text + "'");
            }
            int port = Integer.parseInt(text.substring(colon + 1));
            if (port > LAST_PORT) {
                throw new TypeConversionException("a port must be from 0 to " + LAST_PORT + ", but was " + port);
            }
            InetSocketAddress address = colon == 0
                    ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
                    : new InetSocketAddress(text.substring(0, colon), port);
            if (address.isUnresolved()) {
                throw new TypeConversionException("unknown host '" + text.substring(0, colon) + "'");
            }
            return address;
        }
    }
}
