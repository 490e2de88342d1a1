package dev.downbeat.cli.meet;

import dev.downbeat.cli.measurement.value.DurationConverter;
import dev.downbeat.cli.measurement.value.Refusal;
import dev.downbeat.time.DurationText;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the shards of a plan meet. */
public final class MeetOptions {
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final Duration MOST = Duration.ofDays(7);

    @Option(
            names = "--meet",
            paramLabel = "WHERE",
            converter = MeetingPlace.Converter.class,
            description =
                    "With --plan, begins when all shards are ready: file:DIR (shared folder), tcp:HOST:PORT (shard 0"
                            + " listens), s3://BUCKET/FOLDER or kubernetes (pods of an Indexed Job).")
    @Nullable
    MeetingPlace place;

    @Option(
            names = "--meet-timeout",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long to wait for missing shards. Default 5m.")
    @Nullable
    Duration timeout;

    @Option(
            names = "--without-missing",
            description = "After that, splits the load among the shards that came, instead of ending with 1.")
    boolean withoutMissing;

    /** Refuses what makes no sense together. */
    public void check(boolean hasPlan, boolean hasStart) {
        Refusal.when(place == null && timeout != null, "--meet-timeout goes with --meet");
        Refusal.when(place == null && withoutMissing, "--without-missing goes with --meet");
        Refusal.when(place != null && !hasPlan, "--meet goes with --plan: its token admits shards to the meeting");
        Refusal.when(
                place != null && hasStart,
                "--meet and --start-at are mutually exclusive: shards that meet agree on a start");
        Refusal.when(
                timeout != null && (timeout.compareTo(LEAST) < 0 || timeout.compareTo(MOST) > 0),
                "--meet-timeout must be from 1s to 7d, but was "
                        + DurationText.format(timeout == null ? 0 : timeout.toNanos()));
    }

    /** Where; empty if they do not meet. */
    public Optional<MeetingPlace> place() {
        return Optional.ofNullable(place);
    }

    Meeting.Patience patience() {
        return new Meeting.Patience(timeout == null ? DEFAULT_TIMEOUT : timeout, withoutMissing);
    }
}
