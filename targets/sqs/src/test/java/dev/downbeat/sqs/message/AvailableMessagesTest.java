package dev.downbeat.sqs.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Outcome;
import dev.downbeat.sqs.message.MessageSupply.AvailableMessages;
import dev.downbeat.sqs.message.MessageSupply.Taker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sqs.model.Message;

/** How many messages a supply sends ahead, and who gets them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AvailableMessagesTest {
    private static final Outcome BROKEN = Outcome.failed("broken");

    private final AvailableMessages shelf = new AvailableMessages(25, 1_000);
    private final List<String> got = new ArrayList<>();

    private static Message message(String handle) {
        return Message.builder().receiptHandle(handle).build();
    }

    /** A caller who takes what comes, or does not want it any more. */
    private Taker taker(String name, boolean isThere) {
        return new Taker() {
            @Override
            public boolean take(Message message) {
                got.add(name + " " + message.receiptHandle());
                return isThere;
            }

            @Override
            public void none(Outcome why) {
                got.add(name + " " + why.reason());
            }
        };
    }

    @Test
    void ten_are_sent_ahead_less_those_that_are_there_or_on_their_way() {
        assertThat(shelf.wanted()).isEqualTo(10);
        assertThat(shelf.mayArrive()).isFalse();
        shelf.sent(4);
        assertThat(shelf.wanted()).isEqualTo(6);
        assertThat(shelf.inTransit()).isEqualTo(4);
        assertThat(shelf.mayArrive()).isTrue();
        for (int i = 0; i < 4; i++) {
            shelf.received();
            shelf.add(message("m" + i));
        }
        assertThat(shelf.wanted()).isEqualTo(6);
        assertThat(shelf.inTransit()).isZero();
        assertThat(shelf.mayArrive()).isFalse();
        shelf.received();
        assertThat(shelf.inTransit()).as("one came twice").isZero();
    }

    @Test
    void enough_are_there_although_more_are_on_their_way() {
        shelf.sent(11);
        for (int i = 0; i < 9; i++) {
            shelf.add(message("m"));
        }
        assertThat(shelf.mayArrive()).isTrue();
        shelf.add(message("m"));
        assertThat(shelf.mayArrive()).isFalse();
        assertThat(shelf.wanted()).isZero();
    }

    @Test
    void no_more_are_sent_than_will_be_requested() {
        AvailableMessages few = new AvailableMessages(25, 3);
        assertThat(few.wanted()).isEqualTo(3);
        few.sent(3);
        assertThat(few.wanted()).isZero();
    }

    @Test
    void each_caller_who_waits_doubles_what_is_sent_ahead() {
        shelf.take(taker("a", true));
        assertThat(shelf.wanted()).as("20 and one").isEqualTo(21);
        shelf.take(taker("b", true));
        assertThat(shelf.wanted()).as("at most").isEqualTo(25);
    }

    @Test
    void a_message_is_for_the_first_who_still_waits() {
        shelf.take(taker("gone", false));
        shelf.take(taker("a", true));
        shelf.take(taker("b", true));
        shelf.add(message("1"));
        shelf.add(message("2"));
        shelf.add(message("3"));
        assertThat(got).containsExactly("gone 1", "a 1", "b 2");
        assertThat(shelf.size()).isEqualTo(1);
        shelf.take(taker("gone", false));
        assertThat(shelf.size()).as("it is still there").isEqualTo(1);
        shelf.take(taker("c", true));
        assertThat(got).containsExactly("gone 1", "a 1", "b 2", "gone 3", "c 3");
        assertThat(shelf.isReady()).isFalse();
    }

    @Test
    void nobody_waits_while_messages_do_not_come() {
        shelf.take(taker("a", true));
        shelf.fail(BROKEN);
        assertThat(shelf.failure()).isEqualTo(BROKEN);
        shelf.take(taker("b", true));
        shelf.add(message("1"));
        shelf.take(taker("c", true));
        assertThat(got).containsExactly("a broken", "b broken", "c 1");
        shelf.recover();
        shelf.take(taker("d", true));
        assertThat(got).as("it waits").hasSize(3);
        shelf.add(message("2"));
        assertThat(got).endsWith("d 2");
    }

    /** Another shard took them, or they were never there. */
    @Test
    void after_two_empty_polls_as_many_are_sent_again_if_somebody_waits() {
        AvailableMessages three = new AvailableMessages(25, 3);
        three.sent(3);
        three.polled(true);
        three.polled(true);
        assertThat(three.isPolledEmpty()).isTrue();
        assertThat(three.wanted()).as("nobody waits").isZero();
        three.polled(false);
        three.polled(true);
        assertThat(three.isPolledEmpty()).isFalse();
        three.take(taker("a", true));
        assertThat(three.wanted()).isZero();
        three.polled(true);
        assertThat(three.wanted()).as("one waits").isEqualTo(1);
        assertThat(three.inTransit()).isZero();
        assertThat(three.isPolledEmpty()).as("they are counted anew").isFalse();
    }

    @Test
    void after_two_empty_polls_a_broken_supply_tries_one() {
        AvailableMessages three = new AvailableMessages(25, 3);
        three.sent(3);
        three.polled(true);
        three.polled(true);
        three.fail(BROKEN);
        assertThat(three.wanted()).isEqualTo(1);
    }

    @Test
    void some_are_taken_from_the_front() {
        shelf.add(message("1"));
        shelf.add(message("2"));
        shelf.add(message("3"));
        assertThat(shelf.some(2)).extracting(Message::receiptHandle).containsExactly("1", "2");
        assertThat(shelf.some(2)).extracting(Message::receiptHandle).containsExactly("3");
        assertThat(shelf.some(2)).isEmpty();
    }

    /** Sequence numbers are decimal numbers of any length. */
    @Test
    void within_a_group_each_message_comes_after_the_one_before() {
        Consumers.GroupOrder order = new Consumers.GroupOrder();
        order.note("g", "9");
        order.note("g", "10");
        order.note("h", "1");
        order.note("g", null);
        order.note(null, "1");
        assertThat(order.wrong.sum()).isZero();
        order.note("g", "10");
        assertThat(order.wrong.sum()).as("twice the same").isEqualTo(1);
        order.note("g", "9");
        order.note("g", "08");
        assertThat(order.wrong.sum()).isEqualTo(3);
        order.note("g", "11");
        assertThat(order.wrong.sum()).isEqualTo(3);
    }
}
