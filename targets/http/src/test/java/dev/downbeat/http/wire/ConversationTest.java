package dev.downbeat.http.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.exchange.Outcome;
import dev.downbeat.http.message.RequestBytes;
import dev.downbeat.http.message.RequestWriter;
import dev.downbeat.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConversationTest {
    private final ManualClock clock = new ManualClock(700);
    private final List<Exchange> completed = new ArrayList<>();
    private final Exchange exchange = new Exchange(0);
    private @Nullable Outcome refusal;
    private int hopsLeft;

    private final RequestWriter writer = new RequestWriter() {
        @Override
        public @Nullable Outcome write(Exchange of, RequestBytes into) {
            into.one('a');
            return refusal;
        }

        @Override
        public boolean closesConnection() {
            return false;
        }

        @Override
        public @Nullable ResponseSink sink(Exchange of) {
            return null;
        }

        @Override
        public boolean writeFollowUp(Exchange of, RequestBytes into) {
            into.one('b');
            return hopsLeft-- > 0;
        }

        @Override
        public Outcome outcome(Exchange of, Outcome usual) {
            return Outcome.failedResponse("checked " + usual.reason());
        }
    };
    private final Conversation conversation = new Conversation(writer, new HttpFailures(""), clock, completed::add);

    @Test
    void a_request_that_cannot_be_sent_ends_at_once() {
        assertThat(conversation.writes(writer, exchange)).isTrue();
        assertThat(conversation.writes(writer, exchange)).isTrue();
        assertThat(conversation.written().length()).as("each begins anew").isEqualTo(1);
        assertThat(completed).isEmpty();
        refusal = Outcome.ownLimit("no row left");
        assertThat(conversation.writes(writer, exchange)).isFalse();
        assertThat(completed).containsExactly(exchange);
        assertThat(exchange.outcome).isSameAs(refusal);
        assertThat(exchange.completedAt).isEqualTo(700);
        assertThat(exchange.unconnected).isTrue();
    }

    @Test
    void an_exchange_goes_on_while_its_answers_call_for_it() {
        hopsLeft = 2;
        exchange.begin(100, 100, 100);
        for (int hop = 0; hop < 2; hop++) {
            exchange.firstByteAt = 300;
            assertThat(conversation.hasFollowUp(exchange)).isTrue();
            assertThat(exchange.firstByteAt)
                    .as("the response is the last one's")
                    .isEqualTo(100);
            assertThat(conversation.written().length()).isEqualTo(1);
        }
        assertThat(completed).isEmpty();
        exchange.firstByteAt = 300;
        assertThat(conversation.hasFollowUp(exchange)).isFalse();
        assertThat(exchange.firstByteAt).isEqualTo(300);
        assertThat(completed).containsExactly(exchange);
        assertThat(conversation.counts(new ConnectionCounter()).count("redirects followed"))
                .isEqualTo(2);

        hopsLeft = 1;
        exchange.outcome = Outcome.failed("no answer");
        assertThat(conversation.hasFollowUp(exchange)).isFalse();
        assertThat(completed).hasSize(2);
    }

    /** Such as a hop whose connection would be one open file too many. */
    @Test
    void a_request_that_was_sent_once_is_never_one_that_the_service_did_not_see() {
        exchange.outcome = Outcome.ownLimit("too many open files");
        assertThat(conversation.hasFollowUp(exchange)).isFalse();
        assertThat(exchange.outcome.fate()).isEqualTo(Fate.NEVER_SENT);
        exchange.position = 1;
        assertThat(conversation.hasFollowUp(exchange)).isFalse();
        assertThat(exchange.outcome).isEqualTo(Outcome.ownLimitAfterSending("too many open files"));
        assertThat(exchange.outcome.isByService()).isFalse();
        assertThat(completed).hasSize(2);
    }

    @Test
    void an_outcome_is_that_of_the_checks_if_there_are_any() {
        exchange.status = 503;
        assertThat(conversation.outcome(exchange).reason()).isEqualTo("checked HTTP 503");
        Conversation plain = new Conversation(null, new HttpFailures(""), clock, completed::add);
        assertThat(plain.outcome(exchange).reason()).isEqualTo("HTTP 503");
        assertThat(plain.hasFollowUp(exchange)).isFalse();
        ConnectionCounter counter = new ConnectionCounter();
        counter.sending(5);
        counter.received(7);
        assertThat(plain.counts(counter).byName()).containsOnlyKeys("bytes received", "bytes sent");
        assertThat(plain.counts(counter).count("bytes sent")).isEqualTo(5);
        assertThat(plain.counts(counter).count("bytes received")).isEqualTo(7);
    }
}
