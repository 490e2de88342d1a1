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

/** Options as words, which is short in tests. */
public final class OptionWords {
    private OptionWords() {}

    public static LoopbackOptions parse(List<String> args) {
        LoopbackOptions.Builder builder = LoopbackOptions.builder();
        List<Stall> stalls = new ArrayList<>();
        Http2Conduct http2 = Http2Conduct.USUAL;
        Instances instances = Instances.NONE;
        Iterator<String> words = args.iterator();
        while (words.hasNext()) {
            String option = words.next();
            switch (option) {
                case "--tls" -> builder.tls(true);
                case "--close-silently" -> builder.closeNotice(false);
                case "--max-streams" ->
                    http2 = new Http2Conduct(integer(option, words), http2.windowBytes(), http2.settingsDelayNanos());
                case "--window" ->
                    http2 = new Http2Conduct(http2.maxStreams(), integer(option, words), http2.settingsDelayNanos());
                case "--settings-delay" ->
                    http2 = new Http2Conduct(
                            http2.maxStreams(), http2.windowBytes(), DurationText.parseNanos(value(option, words)));
                case "--instances" ->
                    instances = new Instances(integer(option, words), instances.coldNanos(), instances.idleNanos());
                case "--cold" ->
                    instances = new Instances(
                            instances.most(), DurationText.parseNanos(value(option, words)), instances.idleNanos());
                case "--scale-to-zero" ->
                    instances = new Instances(
                            instances.most(), instances.coldNanos(), DurationText.parseNanos(value(option, words)));
                case "--stall" -> stalls.add(Stall.parse(value(option, words)));
                default -> set(builder, option, words);
            }
        }
        return builder.stalls(stalls).http2(http2).instances(instances).build();
    }

    private static void set(LoopbackOptions.Builder builder, String option, Iterator<String> words) {
        switch (option) {
            case "--port" -> builder.port(integer(option, words));
            case "--unix-socket" -> builder.unixSocket(Path.of(value(option, words)));
            case "--certificate" ->
                builder.certificateKey(
                        CertificateKey.valueOf(value(option, words).toUpperCase(Locale.ROOT)));
            case "--delay" -> builder.delay(ServiceLaw.parse(value(option, words)));
            case "--concurrency" -> builder.concurrency(integer(option, words));
            case "--close-after" -> builder.closeAfter(integer(option, words));
            case "--body-size" -> builder.bodyBytes(integer(option, words));
            case "--status" -> builder.status(integer(option, words));
            case "--misbehave" -> builder.misbehaviour(Misbehaviour.parse(value(option, words)));
            case "--body-time" -> builder.bodyTimeNanos(DurationText.parseNanos(value(option, words)));
            case "--seed" -> builder.seed(Long.parseLong(value(option, words)));
            case "--connect-delay" -> builder.connectDelayNanos(DurationText.parseNanos(value(option, words)));
            case "--accept-queue" -> builder.acceptQueue(integer(option, words));
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
