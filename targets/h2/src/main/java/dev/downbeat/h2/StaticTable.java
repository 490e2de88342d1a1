package dev.downbeat.h2;

import java.nio.charset.StandardCharsets;

/** The fields that both sides know from the beginning (RFC 7541, appendix A). Thread-safe. */
final class StaticTable {
    static final int SIZE = 61;

    private static final String FIELDS = ":authority|:method GET|:method POST|:path /|:path /index.html|:scheme http|"
            + ":scheme https|:status 200|:status 204|:status 206|:status 304|:status 400|:status 404|:status 500|"
            + "accept-charset|accept-encoding gzip, deflate|accept-language|accept-ranges|accept|"
            + "access-control-allow-origin|age|allow|authorization|cache-control|content-disposition|content-encoding|"
            + "content-language|content-length|content-location|content-range|content-type|cookie|date|etag|expect|expires|"
            + "from|host|if-match|if-modified-since|if-none-match|if-range|if-unmodified-since|last-modified|link|location|"
            + "max-forwards|proxy-authenticate|proxy-authorization|range|referer|refresh|retry-after|server|set-cookie|"
            + "strict-transport-security|transfer-encoding|user-agent|vary|via|www-authenticate";

    private static final byte[][] NAMES = new byte[SIZE + 1][];
    private static final byte[][] VALUES = new byte[SIZE + 1][];

    static {
        String[] fields = FIELDS.split("\\|");
        for (int i = 1; i <= SIZE; i++) {
            String[] parts = fields[i - 1].split(" ", 2);
            NAMES[i] = parts[0].getBytes(StandardCharsets.US_ASCII);
            VALUES[i] = (parts.length > 1 ? parts[1] : "").getBytes(StandardCharsets.US_ASCII);
        }
    }

    private StaticTable() {}

    /** The name of a field, from 1 to {@link #SIZE}. */
    static byte[] name(int index) {
        return NAMES[index];
    }

    static byte[] value(int index) {
        return VALUES[index];
    }
}
