package dev.downbeat.testing;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The checksum with which SQS confirms message attributes of type String and Number, for fake servers. */
public final class AttributeChecksum {
    private static final Pattern STRING = Pattern.compile(
            "\"([^\"]+)\":\\{(?=[^{}]*\"StringValue\":\"([^\"]*)\")" + "(?=[^{}]*\"DataType\":\"([^\"]*)\")[^{}]*\\}");

    private AttributeChecksum() {}

    /** The member of the response, preceded by a comma; empty if the request has no attributes. */
    public static String member(String request) {
        Map<String, byte[]> parts = new TreeMap<>();
        Matcher found = STRING.matcher(request);
        while (found.find()) {
            parts.put(found.group(1), part(found.group(1), found.group(3), found.group(2)));
        }
        if (parts.isEmpty()) {
            return "";
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            parts.values().forEach(digest::update);
            return ",\"MD5OfMessageAttributes\":\"" + HexFormat.of().formatHex(digest.digest()) + "\"";
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static byte[] part(String name, String type, String value) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            write(out, name);
            write(out, type);
            out.writeByte(1);
            write(out, value);
            return bytes.toByteArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }
}
