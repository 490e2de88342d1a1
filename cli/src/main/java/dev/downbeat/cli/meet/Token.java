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
    /** Length of a signature in bytes. */
    static final int SEAL = 32;

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
    byte[] seal(String name, byte[] text) {
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

    boolean isSeal(byte[] seal, String name, byte[] text) {
        return MessageDigest.isEqual(seal, seal(name, text));
    }

    byte[] sealed(String name, byte[] text) {
        ByteArrayOutputStream note = new ByteArrayOutputStream();
        note.writeBytes(seal(name, text));
        note.writeBytes(text);
        return note.toByteArray();
    }

    /** The text of a note; empty if its signature is invalid. */
    Optional<byte[]> opened(String name, byte[] note) {
        if (note.length < SEAL) {
            return Optional.empty();
        }
        byte[] text = Arrays.copyOfRange(note, SEAL, note.length);
        return isSeal(Arrays.copyOf(note, SEAL), name, text) ? Optional.of(text) : Optional.empty();
    }
}
