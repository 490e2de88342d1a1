package dev.downbeat.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.exchange.Exchange;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.file.HttpFile;
import dev.downbeat.http.requests.value.Variables;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.testing.MeasuredFirst;
import dev.downbeat.testing.NeverExcused;
import dev.downbeat.testing.Timing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Several kinds of requests to a service that is frozen for 2 of 10 seconds: each name has the percentiles of its own requests. */
@Timing
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FreezeByNameTest {
    private static final double TOLERANCE = 0.03;
    private static final long ALLOWANCE_NANOS = 3_000_000;
    private static final FrozenRun.Plan PLAN = new FrozenRun.Plan(
            500,
            64,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(30),
            Duration.ofSeconds(4),
            Duration.ofSeconds(2));

    private @Nullable RequestSet set;
    private @Nullable FrozenRun run;

    @MeasuredFirst
    void freeze() throws Exception {
        run = FrozenRun.of(PLAN, (uri, options) -> {
            RequestSet made = set(uri);
            set = made;
            return new HttpTarget(made, options);
        });
    }

    private static RequestSet set(String uri) {
        try {
            Path file = Files.createTempFile("shop", ".http");
            Files.writeString(file, """
                    @host = %s
                    ### list
                    # @weight 7
                    GET {{host}}items
                    ### search
                    # @weight 2
                    GET {{host}}search?q={{$random.alphabetic(8)}}
                    ### order
                    POST {{host}}orders

                    {"id": "{{$uuid}}"}
                    """.formatted(uri));
            HttpFile read = HttpFile.parse(file);
            Files.delete(file);
            return RequestSet.of(
                    read.requests(), Optional.empty(), Variables.none().or(read.variables()), RequestSet.Order.MIX, 11);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    @Test
    @NeverExcused
    void the_names_have_all_requests_between_them() {
        FrozenRun seen = Objects.requireNonNull(run);
        Ledger sum = seen.result().recording().byName().values().stream()
                .map(Recording::ledger)
                .reduce(Ledger.EMPTY, Ledger::plus);
        assertThat(sum).isEqualTo(seen.result().ledger());
        assertThat(sum.answered()).isEqualTo(PLAN.count());
    }

    @Test
    void the_percentiles_of_each_name_match_the_theory() {
        FrozenRun seen = Objects.requireNonNull(run);
        RequestSet requests = Objects.requireNonNull(set);
        FreezeLaw law = seen.law(PLAN);
        List<String> wrong = new ArrayList<>();
        for (int name = 0; name < requests.names().size(); name++) {
            int own = name;
            Distribution response =
                    seen.result().recording().named(requests.names().get(name)).response();
            for (double percentile : new double[] {90, 95, 99, 100}) {
                long expected = law.percentileNanos(percentile, index -> nameOf(requests, index) == own);
                long measured = response.valueAtPercentile(percentile);
                if (Math.abs(measured - expected) > expected * TOLERANCE + ALLOWANCE_NANOS + seen.doubtNanos()) {
                    wrong.add(requests.names().get(name) + " p" + percentile + " was " + measured + " ns, expected "
                            + expected);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static int nameOf(RequestSet requests, int index) {
        Exchange exchange = new Exchange(0);
        exchange.index = index;
        return requests.nameOf(exchange);
    }
}
