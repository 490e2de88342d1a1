package dev.downbeat.why;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The sentences of explanations, shared by all formats and commands. Pure functions. */
public final class WhyText {
    private static final int CAUSES_IN_A_LINE = 3;
    private static final int KINDS_IN_A_LINE = 4;

    /** Shares that round to 0 % are not mentioned. */
    private static final double NOTHING = 0.005;

    private WhyText() {}

    /**
     * The composition of the tail: "2 full GCs (G1 Full) account for 81 % of the time beyond p99 (3 % by chance); CPU
     * throttling 9 %; unexplained 10 %".
     *
     * @param watched the watched events, which are listed if none explains the tail
     */
    public static String line(Explanation found, List<WatchResult> watched) {
        return found.causes().isEmpty()
                ? nothing(watched)
                : parts(found, found.subject().time());
    }

    /** The same for one incident: "1 full GC accounts for 97 % of the incident (3 % by chance)", or why not. */
    public static String incident(Explanation found) {
        return found.causes().isEmpty()
                ? found.notes().stream().findFirst().orElse("no watched event explains it")
                : parts(found, "the incident");
    }

    /** The first cause, for a headline: "1 full GC (G1 Full) accounts for 97 % of it". Empty if there is none. */
    public static String first(Explanation found, String whole) {
        return found.causes().isEmpty()
                ? ""
                : accountsFor(withoutCoinciding(found.causes().get(0)), whole);
    }

    /** "lock waits (Object in Shop.price) explain 3 of 5 incidents"; empty if none is explained. */
    public static String incidents(List<Explanation> explanations) {
        Map<EventKind, List<EventCause>> byKind = new EnumMap<>(EventKind.class);
        long incidents = 0;
        for (Explanation one : explanations) {
            if (one.subject() instanceof Explanation.During) {
                incidents++;
                one.causes().stream()
                        .limit(1)
                        .forEach(cause -> byKind.computeIfAbsent(cause.kind(), first -> new ArrayList<>())
                                .add(cause));
            }
        }
        long all = incidents;
        return byKind.values().stream()
                .sorted(Comparator.comparing(List<EventCause>::size).reversed())
                .limit(CAUSES_IN_A_LINE)
                .map(causes -> explains(causes, all))
                .collect(Collectors.joining("; "));
    }

    private static String explains(List<EventCause> causes, long incidents) {
        EventCause most = causes.stream()
                .max(Comparator.comparingDouble(EventCause::share))
                .orElseThrow();
        String detail = most.detail().isEmpty() ? "" : " (" + most.detail() + ")";
        return most.kind().words() + detail + (most.kind().isSingular(2) ? " explains " : " explain ") + causes.size()
                + " of " + incidents + (incidents == 1 ? " incident" : " incidents");
    }

    private static EventCause withoutCoinciding(EventCause cause) {
        return new EventCause(
                cause.kind(),
                List.of(),
                cause.events(),
                cause.share(),
                cause.shareLow(),
                cause.shareHigh(),
                cause.chance(),
                cause.detail());
    }

    private static String parts(Explanation found, String whole) {
        List<EventCause> causes = found.causes();
        List<String> parts = new ArrayList<>();
        EventCause first = causes.get(0);
        parts.add(accountsFor(first, whole) + " (" + percent(first.chance()) + " by chance)");
        for (EventCause cause : causes.subList(1, Math.min(CAUSES_IN_A_LINE, causes.size()))) {
            parts.add(name(cause) + " " + percent(cause.share()));
        }
        int more = causes.size() - CAUSES_IN_A_LINE;
        if (more > 0) {
            double share = causes.subList(CAUSES_IN_A_LINE, causes.size()).stream()
                    .mapToDouble(EventCause::share)
                    .sum();
            parts.add(more + (more == 1 ? " more cause " : " more causes ") + percent(share));
        }
        if (found.unexplained() >= NOTHING) {
            parts.add("unexplained " + percent(found.unexplained()));
        }
        return String.join("; ", parts);
    }

    private static String accountsFor(EventCause cause, String whole) {
        return name(cause) + (cause.kind().isSingular(cause.events()) ? " accounts for " : " account for ")
                + percent(cause.share()) + " of " + whole;
    }

    /** "2 full GCs (G1 Full; with safepoints and CPU throttling)". */
    public static String name(EventCause cause) {
        List<String> more = new ArrayList<>();
        if (!cause.detail().isEmpty()) {
            more.add(cause.detail());
        }
        if (!cause.together().isEmpty()) {
            more.add("with " + cause.together().stream().map(EventKind::words).collect(Collectors.joining(" and ")));
        }
        return cause.kind().counted(cause.events()) + (more.isEmpty() ? "" : " (" + String.join("; ", more) + ")");
    }

    /** States that no cause was found. */
    private static String nothing(List<WatchResult> watched) {
        Map<EventKind, Long> counts = new EnumMap<>(EventKind.class);
        for (WatchResult one : watched) {
            one.events().forEach(event -> counts.merge(event.kind(), 1L, Long::sum));
        }
        if (counts.isEmpty()) {
            return "no event that could explain the tail was recorded";
        }
        List<String> listed = counts.entrySet().stream()
                .sorted(Map.Entry.<EventKind, Long>comparingByValue().reversed())
                .limit(KINDS_IN_A_LINE)
                .map(kind -> kind.getKey().counted(kind.getValue()))
                .toList();
        int more = counts.size() - listed.size();
        return "no watched event explains the tail: " + String.join(", ", listed)
                + (more > 0 ? " and " + more + (more == 1 ? " more kind" : " more kinds") : "")
                + " coincided with slow requests no more often than by chance";
    }

    /** "81 %", "under 1 %", "over 99 %": more digits would not help, since the share has an interval. */
    public static String percent(double share) {
        if (share > 0 && share < NOTHING) {
            return "under 1 %";
        }
        return share < 1 && share >= 1 - NOTHING ? "over 99 %" : String.format(Locale.ROOT, "%.0f %%", 100 * share);
    }

    /** "74 to 88 %": the 95 % interval of a share. */
    public static String interval(EventCause cause) {
        return String.format(Locale.ROOT, "%.0f to %.0f %%", 100 * cause.shareLow(), 100 * cause.shareHigh());
    }
}
