package dev.downbeat.audit.format;

import java.io.IOException;
import java.io.InputStream;

/** A source as a stream. */
final class SourceStream extends InputStream {
    private final Source source;

    SourceStream(Source source) {
        this.source = source;
    }

    @Override
    public int read() throws IOException {
        return source.read();
    }
}
