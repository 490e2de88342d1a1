package dev.downbeat.http.requests;

import dev.downbeat.exchange.Secret;
import dev.downbeat.http.message.RequestWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Signs requests for AWS (Signature Version 4, in headers). Each request is signed with its own time, so signing
 * happens during the run: tens of microseconds and a few kilobytes per request.
 *
 * @param region such as eu-central-1
 * @param service such as execute-api
 * @param keys called for each request, by any thread; returns the same object until the keys change
 * @see <a href="https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html">AWS</a>
 */
public record SigV4(String region, String service, Supplier<Keys> keys) {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final String ALGORITHM = "AWS4-HMAC-SHA256";

    /** The services that sign a path as it is, encoded once. */
    private static final Set<String> OF_S3 = Set.of("s3", "s3express", "s3-outposts", "s3-object-lambda");

    /** Headers that a signature adds. */
    private static final List<String> OF_SIGNATURE =
            List.of("authorization", "x-amz-date", "x-amz-content-sha256", "x-amz-security-token");

    /** Headers that proxies may change or clients set themselves. */
    private static final List<String> UNSIGNED = List.of("connection", "user-agent", "accept", "content-length");

    /**
     * Access keys.
     *
     * @param token session token; empty for permanent keys
     */
    public record Keys(String id, Secret key, Optional<Secret> token) {
        /** The keys in the environment; empty unless both are set. */
        public static Optional<Keys> of(Map<String, String> environment) {
            Optional<Secret> token = value(environment, "AWS_SESSION_TOKEN").map(Secret::of);
            return value(environment, "AWS_ACCESS_KEY_ID")
                    .flatMap(id -> value(environment, "AWS_SECRET_ACCESS_KEY")
                            .map(secret -> new Keys(id, Secret.of(secret), token)));
        }

        /** A blank variable is not set, as in AWS's tools: pipelines define those of unset secrets as empty. */
        private static Optional<String> value(Map<String, String> environment, String name) {
            return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
        }
    }

    /**
     * Parses {@code REGION:SERVICE}, and reads the keys once, so that a mistake is reported at once.
     *
     * @throws IllegalArgumentException if it is malformed, or there are no keys
     */
    public static SigV4 parse(String text, Supplier<Keys> keys) {
        String[] parts = text.split(":", -1);
        if (parts.length != 2 || parts[0].isBlank() || parts[1].isBlank()) {
            throw new IllegalArgumentException(
                    "--aws-sigv4 must be REGION:SERVICE, such as eu-central-1:execute-api, but was '" + text + "'");
        }
        Objects.requireNonNull(keys.get(), "keys");
        return new SigV4(parts[0], parts[1], keys);
    }

    RequestWriter signing(RequestWriter writer, InstantSource clock) {
        Signer signer = new Signer();
        return new RequestWriter.Rewriting(writer, (request, length, into) -> {
            into.append(signer.head(request, length, clock.instant()).getBytes(StandardCharsets.ISO_8859_1));
            into.append(request, endOfHead(request, length) + 4, length);
        });
    }

    /** Caches the key of the current day. Not thread-safe. */
    final class Signer {
        private @Nullable Keys cachedKeys;
        private String cachedDay = "";
        private byte[] dayKey = new byte[0];

        /** The head of a signed request, one byte per character, given the complete unsigned request in wire format. */
        String head(byte[] request, int length, Instant at) {
            int end = endOfHead(request, length);
            String[] lines = new String(request, 0, end, StandardCharsets.ISO_8859_1).split("\r\n");
            String time = TIME.format(at);
            boolean isS3 = OF_S3.contains(service);
            String payload = HexFormat.of().formatHex(sha256(request, end + 4, length));
            List<String> all = new ArrayList<>(Arrays.asList(lines).subList(1, lines.length));
            all.removeIf(line -> OF_SIGNATURE.contains(name(line))); // such as that of a recorded request
            all.add("X-Amz-Date: " + time);
            if (isS3) {
                all.add("x-amz-content-sha256: " + payload);
            }
            Keys current = keys.get();
            current.token().ifPresent(secret -> all.add("X-Amz-Security-Token: " + secret.reveal()));
            TreeMap<String, String> signed = signed(all);
            String names = String.join(";", signed.keySet());
            String[] first = lines[0].split(" ", 3);
            int question = first[1].indexOf('?');
            String path = question < 0 ? first[1] : first[1].substring(0, question);
            String canonical = first[0] + "\n" + path(path, isS3) + "\n"
                    + (question < 0 ? "" : query(first[1].substring(question + 1))) + "\n"
                    + signed.entrySet().stream()
                            .map(header -> header.getKey() + ":" + header.getValue() + "\n")
                            .collect(Collectors.joining())
                    + "\n" + names + "\n" + payload;
            byte[] text = canonical.getBytes(StandardCharsets.ISO_8859_1);
            String scope = time.substring(0, 8) + "/" + region + "/" + service + "/aws4_request";
            String toSign = ALGORITHM + "\n" + time + "\n" + scope + "\n"
                    + HexFormat.of().formatHex(sha256(text, 0, text.length));
            all.add("Authorization: " + ALGORITHM + " Credential=" + current.id() + "/" + scope + ", SignedHeaders="
                    + names + ", Signature="
                    + HexFormat.of().formatHex(mac(keyOf(current, time.substring(0, 8)), toSign)));
            return lines[0] + "\r\n" + String.join("\r\n", all) + "\r\n\r\n";
        }

        private byte[] keyOf(Keys current, String day) {
            if (current != cachedKeys || !day.equals(cachedDay)) {
                byte[] dated = mac(("AWS4" + current.key().reveal()).getBytes(StandardCharsets.UTF_8), day);
                dayKey = mac(mac(mac(dated, region), service), "aws4_request");
                cachedDay = day;
                cachedKeys = current;
            }
            return dayKey;
        }
    }

    /** Repeated headers are joined, in order; consecutive blanks are collapsed. */
    private static TreeMap<String, String> signed(List<String> headers) {
        TreeMap<String, String> signed = new TreeMap<>();
        for (String header : headers) {
            String name = name(header);
            if (!UNSIGNED.contains(name)) {
                signed.merge(
                        name, header.substring(name.length() + 1).strip().replaceAll(" +", " "), (a, b) -> a + "," + b);
            }
        }
        return signed;
    }

    private static String name(String header) {
        return header.substring(0, header.indexOf(':')).toLowerCase(Locale.ROOT);
    }

    /** Normalised and encoded once more, except for S3, whose keys are encoded once. */
    private static String path(String path, boolean isS3) {
        if (isS3) {
            return Arrays.stream(path.split("/", -1))
                    .map(part -> encoded(part, true))
                    .collect(Collectors.joining("/"));
        }
        List<String> parts = new ArrayList<>();
        for (String part : path.split("/", -1)) {
            if (part.equals("..") && !parts.isEmpty()) {
                parts.remove(parts.size() - 1);
            } else if (!part.isEmpty() && !part.equals(".") && !part.equals("..")) {
                parts.add(encoded(part, false));
            }
        }
        boolean isFolder = !parts.isEmpty() && (path.endsWith("/") || path.endsWith("/.") || path.endsWith("/.."));
        return "/" + String.join("/", parts) + (isFolder ? "/" : "");
    }

    /** Sorted by name and value, each encoded once. */
    private static String query(String query) {
        return Arrays.stream(query.split("&", -1))
                .filter(pair -> !pair.isEmpty())
                .map(pair -> {
                    int equals = pair.indexOf('=');
                    return equals < 0
                            ? encoded(pair, true) + "="
                            : encoded(pair.substring(0, equals), true) + "="
                                    + encoded(pair.substring(equals + 1), true);
                })
                .sorted(Comparator.comparing(pair -> pair.replaceFirst("=", "\0")))
                .collect(Collectors.joining("&"));
    }

    /** In AWS's form: clients differ in what they encode, and in the case of the digits. */
    private static String encoded(String text, boolean isEncoded) {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        StringBuilder encoded = new StringBuilder();
        for (int at = 0; at < bytes.length; at++) {
            int one = bytes[at] & 0xFF;
            if (isEncoded && isEscape(bytes, at)) {
                one = HexFormat.fromHexDigit(bytes[++at]) << 4 | HexFormat.fromHexDigit(bytes[++at]);
            }
            boolean plain = (one >= 'a' && one <= 'z')
                    || (one >= 'A' && one <= 'Z')
                    || (one >= '0' && one <= '9')
                    || "-_.~".indexOf(one) >= 0;
            encoded.append(plain ? String.valueOf((char) one) : String.format(Locale.ROOT, "%%%02X", one));
        }
        return encoded.toString();
    }

    private static boolean isEscape(byte[] bytes, int at) {
        return bytes[at] == '%'
                && at + 2 < bytes.length
                && HexFormat.isHexDigit(bytes[at + 1])
                && HexFormat.isHexDigit(bytes[at + 2]);
    }

    private static int endOfHead(byte[] request, int length) {
        for (int at = 0; at + 3 < length; at++) {
            if (request[at] == '\r' && request[at + 2] == '\r' && request[at + 1] == '\n' && request[at + 3] == '\n') {
                return at;
            }
        }
        throw new IllegalStateException("a request without the end of its head");
    }

    private static byte[] sha256(byte[] bytes, int from, int to) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes, from, to - from);
            return digest.digest();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible); // present in every JDK
        }
    }

    private static byte[] mac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
