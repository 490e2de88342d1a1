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

/** What only those who have the plan know. It seals notes: a stranger can neither write nor change one. Immutable. */
final class Token {
    /** Bytes of a seal. */
    static final int SEAL = 32;

    private static final String HMAC = "HmacSHA256";

    private final SecretKeySpec key;

    private Token(byte[] secret) {
        key = new SecretKeySpec(secret, HMAC);
    }

    /** Follows from all of the plan, of which the token is a part that nobody can guess. */
    static Token of(PlanFile plan) {
        return new Token(plan.line().getBytes(StandardCharsets.UTF_8));
    }

    /** The seal of a text under a name: a note cannot be passed off as another. */
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

    /** The text with its seal. */
    byte[] sealed(String name, byte[] text) {
        ByteArrayOutputStream note = new ByteArrayOutputStream();
        note.writeBytes(seal(name, text));
        note.writeBytes(text);
        return note.toByteArray();
    }

    /** The text of a note; empty if the seal is not ours. */
    Optional<byte[]> opened(String name, byte[] note) {
        if (note.length < SEAL) {
            return Optional.empty();
        }
        byte[] text = Arrays.copyOfRange(note, SEAL, note.length);
        return isSeal(Arrays.copyOf(note, SEAL), name, text) ? Optional.of(text) : Optional.empty();
    }
}
