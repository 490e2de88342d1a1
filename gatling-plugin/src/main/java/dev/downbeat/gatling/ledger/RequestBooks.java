package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.Plain;
import dev.downbeat.exchange.Redaction;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Interval;
import dev.downbeat.record.Recording;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * The books of all names. Requests are noted by one thread at a time, under the journal's lock, in the active ones of two
 * sets; intervals are kept from the other set, outside the lock.
 */
final class RequestBooks {
    private static final int MOST_NAMES = 500;

    /** So many names have their course, second by second; the others their sums. */
    private static final int MOST_COURSES = 50;

    private static final String OTHER_NAMES = "(other names)";

    private final Histogram scratch = Distribution.newHistogram();
    private final List<Interval> course = new ArrayList<>();
    private final Map<String, List<Recording>> courses = new TreeMap<>();
    private final Map<String, Recording> sums = new TreeMap<>();
    private Map<String, RequestBook> active = new HashMap<>();
    private Map<String, RequestBook> spare = new HashMap<>();

    /** The names should be few: beyond the first hundreds they share a book. Under the journal's lock. */
    RequestBook of(String name) {
        RequestBook known = active.get(name);
        if (known != null) {
            return known;
        }
        String counted = active.size() < MOST_NAMES || spare.containsKey(name) ? name : OTHER_NAMES;
        return active.computeIfAbsent(counted, unused -> new RequestBook());
    }

    /** Exchanges the sets, under the journal's lock; the one that was active is to be {@link #keep kept} now. */
    Map<String, RequestBook> exchange() {
        Map<String, RequestBook> full = active;
        active = spare;
        spare = full;
        return full;
    }

    /** Forgets all. Under the journal's lock. */
    synchronized void clear() {
        course.clear();
        courses.clear();
        sums.clear();
        active = new HashMap<>();
        spare = new HashMap<>();
    }

    /** Keeps an interval. One thread at a time. */
    synchronized void keep(Map<String, RequestBook> full, Interval interval) {
        int place = course.size();
        course.add(new Interval(
                interval.startNanos(),
                interval.endNanos(),
                Recording.empty(),
                interval.connections(),
                interval.strain()));
        full.forEach((name, book) -> {
            Recording drained = book.drain(interval.strain().isStarved(), scratch);
            if (drained.ledger().planned() > 0) {
                keep(name, drained, place);
            }
        });
    }

    private void keep(String name, Recording drained, int place) {
        if (!courses.containsKey(name) && courses.size() >= MOST_COURSES) {
            sums.merge(name, drained, Recording::plus);
            return;
        }
        List<Recording> known = courses.computeIfAbsent(name, unused -> new ArrayList<>());
        while (known.size() < place) {
            known.add(Recording.empty());
        }
        known.add(drained);
    }

    /** What each name's requests came to, in order of the names, with that of each group before its requests. */
    synchronized List<Requests> all() {
        Map<String, List<Recording>> byName = new TreeMap<>();
        courses.forEach((name, parts) -> add(byName.computeIfAbsent(shown(name), unused -> new ArrayList<>()), parts));
        sums.forEach(
                (name, sum) -> add(byName.computeIfAbsent(shown(name), unused -> new ArrayList<>()), List.of(sum)));
        Map<String, List<Recording>> groups = new TreeMap<>();
        byName.forEach((name, parts) -> {
            for (int at = name.indexOf(Requests.BETWEEN); at > 0; at = name.indexOf(Requests.BETWEEN, at + 1)) {
                add(groups.computeIfAbsent(name.substring(0, at), unused -> new ArrayList<>()), parts);
            }
        });
        List<Requests> all = new ArrayList<>();
        groups.forEach((name, parts) -> all.add(new Requests(name, true, placed(parts))));
        byName.forEach((name, parts) -> all.add(new Requests(name, false, placed(parts))));
        all.sort(Requests.IN_ORDER);
        return all;
    }

    /** Of a URL in a name, what may be shown. */
    private static String shown(String name) {
        return Plain.line(Redaction.line(name));
    }

    private static void add(List<Recording> sum, List<Recording> more) {
        for (int i = 0; i < more.size(); i++) {
            if (i < sum.size()) {
                sum.set(i, sum.get(i).plus(more.get(i)));
            } else {
                sum.add(more.get(i));
            }
        }
    }

    private List<Interval> placed(List<Recording> parts) {
        List<Interval> placed = new ArrayList<>();
        for (int i = 0; i < course.size(); i++) {
            Interval when = course.get(i);
            placed.add(new Interval(
                    when.startNanos(),
                    when.endNanos(),
                    i < parts.size() ? parts.get(i) : Recording.empty(),
                    when.connections(),
                    when.strain()));
        }
        return placed;
    }
}
