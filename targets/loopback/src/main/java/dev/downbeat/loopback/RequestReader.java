package dev.downbeat.loopback;

import dev.downbeat.loopback.RequestHead.BadRequestException;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads a connection's requests and discards their bodies. Allocates nothing for a request without a query. Not
 * thread-safe.
 */
final class RequestReader {
    private static final int LARGEST_HEAD = 64 * 1024;

    private final InputStream in;
    private final RequestHead head = new RequestHead();
    private byte[] buffer = new byte[4 * 1024];
    private int start;
    private int end;

    RequestReader(InputStream in) {
        this.in = in;
    }

    /**
     * Reads up to the end of the next head.
     *
     * @return the head, which is overwritten by the next call, or null if the client closed between two requests
     * @throws EOFException if the client closed within a head
     * @throws BadRequestException if the head is not HTTP/1 or is longer than 64 KiB
     */
    @Nullable
    RequestHead readHead() throws IOException, BadRequestException {
        if (!skipEmptyLines()) {
            return null;
        }
        refuseNonText();
        int scanned = 0;
        int lineLength = 0;
        while (true) {
            while (start + scanned < end) {
                byte b = buffer[start + scanned++];
                if (b == '\n') {
                    if (lineLength == 0) {
                        head.parse(buffer, start, start + scanned);
                        start += scanned;
                        return head;
                    }
                    lineLength = 0;
                } else if (b != '\r') {
                    lineLength++;
                }
            }
            fillOrFail();
        }
    }

    /** Whether data after the head has already arrived. */
    boolean hasMore() {
        return start < end;
    }

    void discardBody() throws IOException, BadRequestException {
        if (!head.isChunked()) {
            discard(head.contentLength());
            return;
        }
        while (true) {
            long size = chunkSize();
            if (size == 0) {
                break;
            }
            discard(size);
            if (lineLength() != 0) {
                throw new BadRequestException("chunk is longer than its size says");
            }
        }
        while (lineLength() != 0) {
            // Trailers are ignored.
        }
    }

    void discardAll() throws IOException {
        do {
            start = 0;
            end = 0;
        } while (fill());
    }

    private boolean skipEmptyLines() throws IOException {
        while (true) {
            while (start < end && (buffer[start] == '\r' || buffer[start] == '\n')) {
                start++;
            }
            if (start < end) {
                return true;
            }
            if (!fill()) {
                return false;
            }
        }
    }

    /**
     * A method starts with a letter. TLS to this plain port starts with 0x16 and would otherwise be waited for forever.
     */
    private void refuseNonText() throws BadRequestException {
        if (buffer[start] < ' ') {
            throw new BadRequestException("request does not begin with a method");
        }
    }

    private void discard(long length) throws IOException, BadRequestException {
        long missing = length;
        while (missing > end - start) {
            missing -= end - start;
            start = end;
            fillOrFail();
        }
        start += (int) missing;
    }

    private long chunkSize() throws IOException, BadRequestException {
        long size = 0;
        int digits = 0;
        int b = next();
        for (int digit = Character.digit(b, 16); digit >= 0; digit = Character.digit(b, 16)) {
            if (++digits > 15) {
                throw new BadRequestException("chunk size has more than 15 digits");
            }
            size = size * 16 + digit;
            b = next();
        }
        if (digits == 0 || (b != '\r' && b != '\n' && b != ';' && b != ' ')) {
            throw new BadRequestException("chunk size is not a hexadecimal number");
        }
        while (b != '\n') {
            b = next();
        }
        return size;
    }

    private int lineLength() throws IOException, BadRequestException {
        int length = 0;
        for (int b = next(); b != '\n'; b = next()) {
            if (b != '\r') {
                length++;
            }
        }
        return length;
    }

    private int next() throws IOException, BadRequestException {
        if (start == end) {
            fillOrFail();
        }
        return buffer[start++];
    }

    private void fillOrFail() throws IOException, BadRequestException {
        if (!fill()) {
            throw new EOFException("the client closed within a request");
        }
        if (end - start > LARGEST_HEAD) {
            throw new BadRequestException("head is longer than 64 KiB");
        }
    }

    private boolean fill() throws IOException {
        if (start == end) {
            start = 0;
            end = 0;
        } else if (end == buffer.length) {
            byte[] target = start > 0 ? buffer : new byte[buffer.length * 2];
            System.arraycopy(buffer, start, target, 0, end - start);
            buffer = target;
            end -= start;
            start = 0;
        }
        int read = in.read(buffer, end, buffer.length - end);
        if (read < 0) {
            return false;
        }
        end += read;
        return true;
    }
}
