package dev.downbeat.sqs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.sqs.SqsQueue.SqsAnswer;
import dev.downbeat.sqs.options.SqsAttribute;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.DeleteMessageResponse;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.ReceiveMessageResponse;
import software.amazon.awssdk.services.sqs.model.SendMessageResponse;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SqsAnswerTest {
    @Test
    void defaults_are_omitted() {
        assertThat(SqsAnswer.of(DeleteMessageResponse.builder().build()).json()).isEqualTo("{}");
        assertThat(SqsAnswer.of(SendMessageResponse.builder().messageId("7").build())
                        .json())
                .isEqualTo("{\"MessageId\":\"7\"}");
    }

    @Test
    void texts_are_those_of_JSON() {
        assertThat(SqsAnswer.of(SendMessageResponse.builder()
                                .messageId("a\"b\\c\nd")
                                .build())
                        .json())
                .isEqualTo("{\"MessageId\":\"a\\\"b\\\\c\\nd\"}");
    }

    @Test
    void messages_are_a_list_with_their_attributes() {
        Message first = Message.builder()
                .body("tea")
                .messageAttributes(Map.of("kind", SqsAttribute.text("hot").toSdk()))
                .build();
        Message second = Message.builder().body("cake").build();
        String json = SqsAnswer.of(
                        ReceiveMessageResponse.builder().messages(first, second).build())
                .json();
        assertThat(json)
                .isEqualTo("{\"Messages\":[{\"Body\":\"tea\",\"MessageAttributes\":"
                        + "{\"kind\":{\"StringValue\":\"hot\",\"DataType\":\"String\"}}},{\"Body\":\"cake\"}]}");
    }
}
