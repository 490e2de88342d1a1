package dev.downbeat.sqs;

import dev.downbeat.json.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.SdkField;
import software.amazon.awssdk.core.SdkPojo;

/**
 * A response of the service.
 *
 * @param json the response with the names of the service's API, such as {@code {"MessageId":"..."}} or {@code
 *     {"Messages":[{"Body":"..."}]}}
 */
public record SqsAnswer(String json) {
    static SqsAnswer of(SdkPojo answer) {
        return new SqsAnswer(JsonText.of(plain(answer)));
    }

    private static Object plain(Object value) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (value instanceof SdkPojo structure) {
            for (SdkField<?> field : structure.sdkFields()) {
                Object member = field.getValueOrDefault(structure);
                if (member != null && !isEmpty(member)) {
                    members.put(field.memberName(), plain(member));
                }
            }
            return members;
        }
        if (value instanceof Map<?, ?> map) {
            map.forEach((name, member) -> members.put(String.valueOf(name), plain(member)));
            return members;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(SqsAnswer::plain).toList();
        }
        if (value instanceof Number || value instanceof Boolean) {
            return value;
        }
        return value instanceof SdkBytes bytes ? bytes.asUtf8String() : String.valueOf(value);
    }

    /** The SDK represents absent members as empty lists or maps. */
    private static boolean isEmpty(Object member) {
        return (member instanceof Map<?, ?> map && map.isEmpty()) || (member instanceof List<?> list && list.isEmpty());
    }
}
