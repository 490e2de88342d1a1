package dev.downbeat.report.file.tree;

import dev.downbeat.exchange.SafeText;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * Guards the reading of saved files, which are untrusted. Every error becomes an IOException with one line, and memory
 * is limited to a part of what is available.
 */
public final class UntrustedFile {
    private static final int MOST_ENTRIES = 1_000;

    /** Any file may unpack to this size. */
    private static final long LEAST_LIMIT = 32L << 20;

    /** Of unpacked to packed size; about 20 in Downbeat's own files. */
    private static final int MOST_RATIO = 100;

    private UntrustedFile() {}

    public interface Reading<T> {
        T read() throws IOException;
    }

    /**
     * Reads a file.
     *
     * @param name its name, which starts error messages
     */
    @SuppressWarnings("IllegalCatch") // no file may crash the process
    public static <T> T read(String name, Reading<T> reading) throws IOException {
        try {
            return reading.read();
        } catch (FileSystemException unreadable) {
            throw unreadable;
        } catch (ZipException broken) {
            throw refused(name, "corrupt or cut off", broken);
        } catch (CharacterCodingException binary) {
            throw refused(name, "corrupt: not text", binary);
        } catch (IOException corrupt) {
            throw refused(name, String.valueOf(corrupt.getMessage()), corrupt);
        } catch (RuntimeException wrong) {
            throw refused(name, "corrupt: " + why(wrong), wrong);
        } catch (StackOverflowError | OutOfMemoryError tooMuch) {
            throw refused(name, "too large for the memory available; raise -Xmx", tooMuch);
        }
    }

    private static IOException refused(String name, String why, Throwable cause) {
        return new IOException(SafeText.line(name + ": " + why), cause);
    }

    /** The message of Downbeat's own checks; others are not meaningful. */
    public static String why(Throwable wrong) {
        Throwable cause =
                wrong instanceof ReflectiveOperationException && wrong.getCause() != null ? wrong.getCause() : wrong;
        boolean isOurs = cause instanceof IllegalArgumentException || cause instanceof IOException;
        return isOurs && cause.getMessage() != null ? cause.getMessage() : "cannot be read";
    }

    /** The most bytes of text that may be in memory at once. */
    public static long memoryLimit() {
        return Math.max(LEAST_LIMIT, Runtime.getRuntime().maxMemory() / 16);
    }

    /**
     * Reads a text file.
     *
     * @throws IOException if it is too large or not UTF-8; its message omits the name
     */
    public static String text(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return text(in);
        } catch (CharacterCodingException binary) {
            throw new IOException("corrupt: not text", binary);
        }
    }

    /** Reads a stream to its end, as {@link #text(Path)}. */
    public static String text(InputStream in) throws IOException {
        return decoded(bytes(in, memoryLimit(), "larger than "));
    }

    private static byte[] bytes(InputStream in, long limit, String tooLarge) throws IOException {
        byte[] bytes = in.readNBytes((int) Math.min(Integer.MAX_VALUE - 8L, limit));
        if (in.read() >= 0) {
            throw new IOException(tooLarge + limit + " bytes");
        }
        return bytes;
    }

    private static String decoded(byte[] bytes) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(ByteBuffer.wrap(bytes))
                .toString();
    }

    /** A zip whose entries are verified against their checksums. */
    public static final class Entries implements Closeable {
        private final ZipFile zip;
        private long bytesLeft;

        public Entries(Path file) throws IOException {
            bytesLeft = Math.min(memoryLimit(), Math.max(LEAST_LIMIT, MOST_RATIO * Files.size(file)));
            zip = new ZipFile(file.toFile(), StandardCharsets.UTF_8);
            if (zip.size() > MOST_ENTRIES) {
                zip.close();
                throw new IOException("has more than " + MOST_ENTRIES + " entries");
            }
        }

        public boolean has(String name) {
            return zip.getEntry(name) != null;
        }

        /** The text of an entry; verifies its checksum, which ZipFile does not. */
        public String text(String name, String otherwise) throws IOException {
            ZipEntry entry = zip.getEntry(name);
            if (entry == null) {
                throw new IOException("has no " + name + ": " + otherwise);
            }
            byte[] bytes;
            try (InputStream in = zip.getInputStream(entry)) {
                bytes = bytes(in, bytesLeft, "its " + name + " unpacks to more than ");
            }
            bytesLeft -= bytes.length;
            CRC32 sum = new CRC32();
            sum.update(bytes);
            if (sum.getValue() != entry.getCrc() || bytes.length != entry.getSize()) {
                throw new IOException("corrupt: the checksum of its " + name + " is wrong");
            }
            return decoded(bytes);
        }

        /** Verifies the checksums of all entries, including those for other tools. */
        public void check() throws IOException {
            byte[] some = new byte[1 << 16];
            long left = bytesLeft;
            for (ZipEntry entry : Collections.list(zip.entries())) {
                CRC32 sum = new CRC32();
                try (InputStream in = zip.getInputStream(entry)) {
                    for (int count = in.read(some); count >= 0; count = in.read(some)) {
                        left -= count;
                        if (left < 0) {
                            throw new IOException("it unpacks to more than " + bytesLeft + " bytes");
                        }
                        sum.update(some, 0, count);
                    }
                }
                if (sum.getValue() != entry.getCrc()) {
                    throw new IOException("corrupt: the checksum of its " + entry.getName() + " is wrong");
                }
            }
        }

        @Override
        public void close() throws IOException {
            zip.close();
        }
    }

    /** The checksum of a line, in 8 hexadecimal digits. */
    public static String sum(String line) {
        CRC32 sum = new CRC32();
        sum.update(line.getBytes(StandardCharsets.UTF_8));
        return String.format("%08x", sum.getValue());
    }
}
