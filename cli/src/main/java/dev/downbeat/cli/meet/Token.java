package dev.downbeat.cli.meet;

import dev.downbeat.report.file.PlanFile;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret known only to holders of the plan. It signs notes, so that nobody else can write or change one. Immutable.
 */
final class Token {
    static final int SIGNATURE_BYTES = 32;

    private static final String HMAC = "HmacSHA256";

    private final SecretKeySpec key;

    private Token(byte[] secret) {
        key = new SecretKeySpec(secret, HMAC);
    }

    /** Derived from the whole plan, which contains a random token. */
    static Token of(PlanFile plan) {
        return new Token(plan.line().getBytes(StandardCharsets.UTF_8));
    }

    /** The signature of a text under a name, so that one note cannot pass as another. */
    byte[] sign(String name, byte[] text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(key);
            mac.update(name.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) '\n');
            return mac.doFinal(text);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has " + HMAC, impossible);
        }
    }

    boolean isSignature(byte[] signature, String name, byte[] text) {
        return MessageDigest.isEqual(signature, sign(name, text));
    }

    byte[] signed(String name, byte[] text) {
        ByteArrayOutputStream note = new ByteArrayOutputStream();
        note.writeBytes(sign(name, text));
        note.writeBytes(text);
        return note.toByteArray();
    }

    /** The text of a note; empty if its signature is invalid. */
    Optional<byte[]> verified(String name, byte[] note) {
        if (note.length < SIGNATURE_BYTES) {
            return Optional.empty();
        }
        byte[] text = Arrays.copyOfRange(note, SIGNATURE_BYTES, note.length);
        return isSignature(Arrays.copyOf(note, SIGNATURE_BYTES), name, text) ? Optional.of(text) : Optional.empty();
    }
}
