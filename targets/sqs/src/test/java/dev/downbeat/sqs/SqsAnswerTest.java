package dev.downbeat.sqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.sqs.SqsQueue.SqsAnswer;
import dev.downbeat.sqs.SqsQueue.SqsMessage;
import dev.downbeat.sqs.options.SqsAttribute;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({"PT15M, true", "PT1S, true", "PT0S, true", "PT15M1S, false", "PT0.5S, false", "PT-1S, false"})
    void a_delay_is_one_that_the_service_takes(Duration delay, boolean isTaken) {
        ThrowingCallable made = () -> new SqsMessage("tea", Map.of(), Optional.empty(), Optional.empty(), delay);
        if (isTaken) {
            assertThatCode(made).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(made).hasMessage("delay must be from 0 to 900 s in whole seconds, but was " + delay);
        }
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
