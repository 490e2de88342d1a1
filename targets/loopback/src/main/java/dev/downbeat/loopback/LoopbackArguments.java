package dev.downbeat.loopback;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The options as words of a command line, there and back. */
final class LoopbackArguments {
    private LoopbackArguments() {}

    static LoopbackOptions parse(List<String> args) {
        LoopbackOptions.Builder builder = LoopbackOptions.builder();
        StallPlan stalls = StallPlan.NONE;
        Http2Conduct http2 = Http2Conduct.USUAL;
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
                            http2.maxStreams(),
                            http2.windowBytes(),
                            Durations.parse("settings-delay", value(option, words)));
                case "--stall" -> stalls = stalls.and(StallPlan.parse(value(option, words)));
                default -> set(builder, option, words);
            }
        }
        return builder.stalls(stalls).http2(http2).build();
    }

    static List<String> format(LoopbackOptions options) {
        Words words = new Words();
        LoopbackOptions defaults = LoopbackOptions.defaults();
        words.add("--port", options.port(), defaults.port());
        options.unixSocket().ifPresent(path -> words.add("--unix-socket", path, null));
        words.flag("--tls", options.tls());
        words.add("--certificate", word(options.certificateKey()), word(defaults.certificateKey()));
        words.add("--delay", options.delay(), defaults.delay());
        words.add("--concurrency", options.concurrency(), defaults.concurrency());
        options.stalls().stalls().forEach(stall -> words.add("--stall", stall.describe(), null));
        words.add("--close-after", options.closeAfter(), defaults.closeAfter());
        words.flag("--close-silently", !options.closeNotice());
        words.add("--body-size", options.bodyBytes(), defaults.bodyBytes());
        words.add("--status", options.status(), defaults.status());
        words.add(
                "--misbehave",
                options.misbehaviour().word(),
                defaults.misbehaviour().word());
        words.add("--body-time", Durations.format(options.bodyTimeNanos()), Durations.format(defaults.bodyTimeNanos()));
        words.add("--seed", options.seed(), defaults.seed());
        words.add("--accept-queue", options.acceptQueue(), defaults.acceptQueue());
        Http2Conduct usual = Http2Conduct.USUAL;
        words.add("--max-streams", options.http2().maxStreams(), usual.maxStreams());
        words.add("--window", options.http2().windowBytes(), usual.windowBytes());
        words.add(
                "--settings-delay",
                Durations.format(options.http2().settingsDelayNanos()),
                Durations.format(usual.settingsDelayNanos()));
        return List.copyOf(words.list);
    }

    private static void set(LoopbackOptions.Builder builder, String option, Iterator<String> words) {
        switch (option) {
            case "--port" -> builder.port(integer(option, words));
            case "--unix-socket" -> builder.unixSocket(path(option, words));
            case "--certificate" -> builder.certificateKey(certificateKey(value(option, words)));
            case "--delay" -> builder.delay(DelayLaw.parse(value(option, words)));
            case "--concurrency" -> builder.concurrency(integer(option, words));
            case "--close-after" -> builder.closeAfter(integer(option, words));
            case "--body-size" -> builder.bodyBytes(integer(option, words));
            case "--status" -> builder.status(integer(option, words));
            case "--misbehave" -> builder.misbehaviour(Misbehaviour.parse(value(option, words)));
            case "--body-time" -> builder.bodyTimeNanos(Durations.parse("body-time", value(option, words)));
            case "--seed" -> builder.seed(whole(option, value(option, words)));
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
        return integer(option, value(option, words));
    }

    static int integer(String thing, String text) {
        long value = whole(thing, text);
        if (value != (int) value) {
            throw new IllegalArgumentException(thing + " must be from -2147483648 to 2147483647, but was " + value);
        }
        return (int) value;
    }

    private static long whole(String thing, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(thing + " must be a whole number, but was " + Durations.quoted(text), e);
        }
    }

    private static Path path(String option, Iterator<String> words) {
        String text = value(option, words);
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(option + " must be a path, but was " + Durations.quoted(text), e);
        }
    }

    private static CertificateKey certificateKey(String text) {
        for (CertificateKey key : CertificateKey.values()) {
            if (word(key).equals(text)) {
                return key;
            }
        }
        throw new IllegalArgumentException("certificate must be rsa or ec, but was " + Durations.quoted(text));
    }

    private static String word(CertificateKey key) {
        return key.name().toLowerCase(Locale.ROOT);
    }

    /** The words so far. */
    private static final class Words {
        private final List<String> list = new ArrayList<>();

        void add(String option, Object value, @Nullable Object unlessEqual) {
            if (!Objects.equals(value, unlessEqual)) {
                list.add(option);
                list.add(value.toString());
            }
        }

        void flag(String option, boolean set) {
            if (set) {
                list.add(option);
            }
        }
    }
}
