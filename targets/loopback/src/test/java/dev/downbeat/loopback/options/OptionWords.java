package dev.downbeat.loopback.options;

import dev.downbeat.loopback.options.LoopbackOptions.Http2Conduct;
import dev.downbeat.loopback.options.LoopbackOptions.Instances;
import dev.downbeat.time.DurationText;
import dev.downbeat.time.ServiceLaw;
import dev.downbeat.time.Stall;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Options as words, which is short in tests. */
public final class OptionWords {
    private OptionWords() {}

    public static LoopbackOptions parse(List<String> args) {
        return LoopbackOptions.of(draft -> set(draft, args));
    }

    private static void set(LoopbackOptions.Draft draft, List<String> args) {
        List<Stall> stalls = new ArrayList<>();
        Iterator<String> words = args.iterator();
        while (words.hasNext()) {
            String option = words.next();
            switch (option) {
                case "--tls" -> draft.tls = true;
                case "--close-silently" -> draft.closeNotice = false;
                case "--max-streams" ->
                    draft.http2 = new Http2Conduct(
                            integer(option, words), draft.http2.windowBytes(), draft.http2.settingsDelayNanos());
                case "--window" ->
                    draft.http2 = new Http2Conduct(
                            draft.http2.maxStreams(), integer(option, words), draft.http2.settingsDelayNanos());
                case "--settings-delay" ->
                    draft.http2 = new Http2Conduct(
                            draft.http2.maxStreams(),
                            draft.http2.windowBytes(),
                            DurationText.parseNanos(value(option, words)));
                case "--instances" ->
                    draft.instances = new Instances(
                            integer(option, words), draft.instances.coldNanos(), draft.instances.idleNanos());
                case "--cold" ->
                    draft.instances = new Instances(
                            draft.instances.most(),
                            DurationText.parseNanos(value(option, words)),
                            draft.instances.idleNanos());
                case "--scale-to-zero" ->
                    draft.instances = new Instances(
                            draft.instances.most(),
                            draft.instances.coldNanos(),
                            DurationText.parseNanos(value(option, words)));
                case "--stall" -> stalls.add(Stall.parse(value(option, words)));
                default -> set(draft, option, words);
            }
        }
        draft.stalls = stalls;
    }

    private static void set(LoopbackOptions.Draft draft, String option, Iterator<String> words) {
        switch (option) {
            case "--port" -> draft.port = integer(option, words);
            case "--unix-socket" -> draft.unixSocket = Optional.of(Path.of(value(option, words)));
            case "--certificate" ->
                draft.certificateKey =
                        CertificateKey.valueOf(value(option, words).toUpperCase(Locale.ROOT));
            case "--delay" -> draft.delay = ServiceLaw.parse(value(option, words));
            case "--concurrency" -> draft.concurrency = integer(option, words);
            case "--close-after" -> draft.closeAfter = integer(option, words);
            case "--body-size" -> draft.bodyBytes = integer(option, words);
            case "--status" -> draft.status = integer(option, words);
            case "--misbehave" -> draft.misbehaviour = Misbehaviour.parse(value(option, words));
            case "--body-time" -> draft.bodyTimeNanos = DurationText.parseNanos(value(option, words));
            case "--seed" -> draft.seed = Long.parseLong(value(option, words));
            case "--connect-delay" -> draft.connectDelayNanos = DurationText.parseNanos(value(option, words));
            case "--accept-queue" -> draft.acceptQueue = integer(option, words);
            default -> throw new IllegalArgumentException("unknown option " + Durations.quoted(option));
        }
    }

    private static String value(String option, Iterator<String> words) {
        if (!words.hasNext()) {
            throw new IllegalArgumentException(option + " must be followed by its value, but was the last word");
        }
        return words.next();
    }

    private static int integer(String option, Iterator<String> words) {
        return Integer.parseInt(value(option, words));
    }
}
