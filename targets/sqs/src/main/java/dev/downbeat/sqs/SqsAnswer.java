package dev.downbeat.sqs;

import dev.downbeat.json.JsonText;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;

/**
 * What the service answered.
 *
 * @param json the answer under the names of the service's API, such as {@code {"MessageId":"..."}} or {@code
 *     {"Messages":[{"Body":"..."}]}}
 */
public record SqsAnswer(String json) {
    static SqsAnswer of(SdkPojo answer) {
        StringBuilder json = new StringBuilder();
        write(answer, json);
        return new SqsAnswer(json.toString());
    }

    private static void write(Object value, StringBuilder json) {
        if (value instanceof SdkPojo structure) {
            json.append('{');
            for (SdkField<?> field : structure.sdkFields()) {
                Object member = field.getValueOrDefault(structure);
                if (member != null && !isEmpty(member)) {
                    write(field.memberName(), member, json);
                }
            }
            end('}', json);
        } else if (value instanceof Map<?, ?> map) {
            json.append('{');
            map.forEach((name, member) -> write(String.valueOf(name), member, json));
            end('}', json);
        } else if (value instanceof List<?> list) {
            json.append('[');
            for (Object member : list) {
                write(member, json);
                json.append(',');
            }
            end(']', json);
        } else if (value instanceof Number || value instanceof Boolean) {
            json.append(value);
        } else {
            JsonText.quote(value instanceof SdkBytes bytes ? bytes.asUtf8String() : String.valueOf(value), json);
        }
    }

    /** The SDK has an empty list or map for what was not said. */
    private static boolean isEmpty(Object member) {
        return (member instanceof Map<?, ?> map && map.isEmpty()) || (member instanceof List<?> list && list.isEmpty());
    }

    private static void write(String name, Object member, StringBuilder json) {
        JsonText.quote(name, json);
        json.append(':');
        write(member, json);
        json.append(',');
    }

    private static void end(char bracket, StringBuilder json) {
        if (json.charAt(json.length() - 1) == ',') {
            json.setLength(json.length() - 1);
        }
        json.append(bracket);
    }
}
