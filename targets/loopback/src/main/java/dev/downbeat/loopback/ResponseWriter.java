package dev.downbeat.loopback;

import dev.downbeat.loopback.options.CannedResponse;
import dev.downbeat.loopback.socket.DueTime;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Writes one connection's responses, each in a single write unless it is meant to be split. Not thread-safe. */
final class ResponseWriter {
    private static final int GARBAGE_BYTES = 256;

    private final OutputStream out;
    private final long bodyTimeNanos;
    private final RandomGenerator random;
    private final DueTime dueTime;

    private @Nullable Treatment known;
    private boolean knownClosing;
    private boolean knownOld;
    private @Nullable CannedResponse built;

    ResponseWriter(OutputStream out, long bodyTimeNanos, RandomGenerator random, DueTime dueTime) {
        this.out = out;
        this.bodyTimeNanos = bodyTimeNanos;
        this.random = random;
        this.dueTime = dueTime;
    }

    void writeContinue() throws IOException {
        out.write(CannedResponse.CONTINUE);
    }

    void writeRefusal(String reason) throws IOException {
        out.write(CannedResponse.refusal(400, reason).bytes());
    }

    /**
     * Writes a response.
     *
     * @param closing whether the response announces the end of the connection
     */
    void write(RequestHead head, Treatment treatment, boolean closing) throws IOException {
        CannedResponse answer = answer(treatment, closing, head.isOld());
        int length = head.wantsNoBody() ? answer.headLength() : answer.length();
        switch (treatment.misbehaviour()) {
            case GARBAGE -> writeGarbage();
            case HALF_ANSWER ->
                out.write(answer.bytes(), 0, answer.headLength() + (answer.length() - answer.headLength()) / 2);
            case SLOW_BODY -> writeSlowly(answer, length);
            default -> out.write(answer.bytes(), 0, length);
        }
    }

    private CannedResponse answer(Treatment treatment, boolean closing, boolean old) {
        CannedResponse answer = built;
        if (answer == null || !Objects.equals(treatment, known) || closing != knownClosing || old != knownOld) {
            answer = build(treatment, closing, old);
            built = answer;
            known = treatment;
            knownClosing = closing;
            knownOld = old;
        }
        return answer;
    }

    private static CannedResponse build(Treatment treatment, boolean closing, boolean old) {
        int status = treatment.status();
        int bodyBytes = treatment.bodyBytes();
        CannedResponse plain = CannedResponse.plain(status, bodyBytes, closing, treatment.isCold());
        return switch (treatment.misbehaviour()) {
            case BAD_STATUS_LINE -> CannedResponse.badStatusLine();
            case HALF_ANSWER -> CannedResponse.plain(status, Math.max(2, bodyBytes), closing);
            case CHUNKED ->
                old || CannedResponse.isBodiless(status) ? plain : CannedResponse.chunked(status, bodyBytes, closing);
            case NO_LENGTH -> CannedResponse.withoutLength(status, bodyBytes);
            case CONTINUE_FIRST -> old ? plain : CannedResponse.afterContinue(plain);
            default -> plain;
        };
    }

    private void writeGarbage() throws IOException {
        byte[] garbage = new byte[GARBAGE_BYTES];
        random.nextBytes(garbage);
        // No HTTP message starts with a byte above 127.
        garbage[0] |= (byte) 0x80;
        out.write(garbage);
    }

    private void writeSlowly(CannedResponse answer, int length) throws IOException {
        long startAt = System.nanoTime();
        int written = answer.headLength();
        out.write(answer.bytes(), 0, written);
        int bodyBytes = length - written;
        while (written < length) {
            double share = (double) (written - answer.headLength() + 1) / bodyBytes;
            dueTime.await(startAt + (long) Math.ceil(share * bodyTimeNanos));
            double elapsedShare = (double) (System.nanoTime() - startAt) / bodyTimeNanos;
            int due = answer.headLength() + (int) Math.min(bodyBytes, (long) (elapsedShare * bodyBytes));
            int pieceEnd = Math.max(written + 1, due);
            out.write(answer.bytes(), written, pieceEnd - written);
            written = pieceEnd;
        }
    }
}
