package dev.downbeat.audit.format;

import java.io.IOException;
import java.io.InputStream;

final class SourceStream extends InputStream {
    private final Source source;

    SourceStream(Source source) {
        this.source = source;
    }

    @Override
    public int read() throws IOException {
        return source.read();
    }

    /** Bytes are served from the read-ahead buffer, so single reads are cheap. */
    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int count = 0;
        while (count < length) {
            int next = source.read();
            if (next < 0) {
                return count == 0 ? -1 : count;
            }
            bytes[from + count++] = (byte) next;
        }
        return count;
    }
}
