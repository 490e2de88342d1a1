package dev.downbeat.sqs.options;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Objects;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * The value of a message attribute.
 *
 * @param type {@code String}, {@code Number} or {@code Binary}, optionally with a custom label after a dot: {@code
 *     Number.int}
 * @param value the text; for Binary in Base64
 */
public record SqsAttribute(String type, String value) {
    private static final String BINARY = "Binary";

    /** Validates type and value. */
    public SqsAttribute {
        Objects.requireNonNull(value, "value");
        if (!type.matches("(String|Number|Binary)(\\.[^/=:]{1,240})?")) {
            throw new IllegalArgumentException("an attribute's type must be String, Number or Binary, but was " + type);
        }
        if (type.startsWith(BINARY)) {
            Base64.getDecoder().decode(value);
        } else if (value.isEmpty()) {
            throw new IllegalArgumentException("an attribute's value must not be empty");
        }
    }

    /** An attribute of type String. */
    public static SqsAttribute text(String value) {
        return new SqsAttribute("String", value);
    }

    int bytes() {
        return type.length()
                + (type.startsWith(BINARY)
                        ? Base64.getDecoder().decode(value).length
                        : value.getBytes(StandardCharsets.UTF_8).length);
    }

    public MessageAttributeValue toSdk() {
        MessageAttributeValue.Builder sdk = MessageAttributeValue.builder().dataType(type);
        return (type.startsWith(BINARY)
                        ? sdk.binaryValue(
                                SdkBytes.fromByteArray(Base64.getDecoder().decode(value)))
                        : sdk.stringValue(value))
                .build();
    }
}
