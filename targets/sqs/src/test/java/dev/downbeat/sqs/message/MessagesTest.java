package dev.downbeat.sqs.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.downbeat.sqs.client.Queue;
import dev.downbeat.sqs.options.SqsAttribute;
import dev.downbeat.sqs.options.SqsOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MessagesTest {
    private static final Queue FIFO = new Queue("http://localhost/0/q.fifo", 0, 30);

    private static MessageMaker messages() {
        SqsOptions.SqsMessageOptions options = SqsOptions.of(draft -> {
                    draft.messageSize = 1_000;
                    draft.messageGroups = 3;
                })
                .message();
        return new MessageMaker(FIFO, options, MessageMark.Sender.of("run"));
    }

    @Test
    void bodies_have_the_size_and_nothing_in_them_repeats() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        int size = 0;
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(packed)) {
            for (int i = 0; i < 200; i++) {
                byte[] body = messages().body(i).getBytes(StandardCharsets.UTF_8);
                assertThat(body).hasSize(1_000);
                size += body.length;
                deflater.write(body);
            }
        }
        // Six bits in a character of eight are all that there is to gain.
        assertThat(packed.size()).isGreaterThan(size * 3 / 4);
    }

    @Test
    void the_body_of_a_message_is_a_function_of_its_number() {
        assertThat(messages().body(3))
                .isEqualTo(messages().body(3))
                .isNotEqualTo(messages().body(4));
    }

    @Test
    void sizes_are_bytes() {
        String tooLong = "\u20ac".repeat(400_000);
        assertThatThrownBy(() -> SqsOptions.of(draft -> draft.body = Optional.of(number -> tooLong)))
                .hasMessage("bytes of the body must be from 1 to 1048576, but was 1200000");
        assertThatThrownBy(() -> SqsOptions.of(draft -> draft.messageSize = 1024 * 1024))
                .hasMessageStartingWith("a message must be at most 1048576 bytes with its attributes");
    }

    @Test
    void attributes_have_types() {
        SqsOptions.SqsMessageOptions options = SqsOptions.of(draft -> {
                    draft.attributes.put("n", new SqsAttribute("Number", "7"));
                    draft.attributes.put("b", new SqsAttribute("Binary.png", "AAE="));
                })
                .message();
        var sent = new MessageMaker(FIFO, options, MessageMark.Sender.of("run"))
                .single(0)
                .messageAttributes();
        assertThat(Objects.requireNonNull(sent.get("n")).dataType()).isEqualTo("Number");
        assertThat(Objects.requireNonNull(sent.get("b")).binaryValue().asByteArray())
                .containsExactly(0, 1);
        assertThat(MessageMark.of(Objects.requireNonNull(sent.get(MessageMark.NAME))
                                .stringValue())
                        .orElseThrow()
                        .run())
                .isEqualTo("run");
        assertThatThrownBy(() -> new SqsAttribute("Float", "7")).hasMessageContaining("String, Number or Binary");
    }

    @Test
    void fifo_messages_go_round_the_groups_and_have_ids_of_their_own() {
        MessageMaker one = messages();
        Set<String> groups = new HashSet<>();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < 30; i++) {
            groups.add(one.single(i).messageGroupId());
            ids.add(one.single(i).messageDeduplicationId());
        }
        for (int i = 10; i < 13; i++) {
            one.batch(10 * i, 10).entries().forEach(entry -> ids.add(entry.messageDeduplicationId()));
        }
        assertThat(groups).hasSize(3);
        assertThat(ids).hasSize(60);
    }
}
