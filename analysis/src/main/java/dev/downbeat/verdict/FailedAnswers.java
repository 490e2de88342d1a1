package dev.downbeat.verdict;

import dev.downbeat.record.Recording;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Answers that came in full and said that something failed, by status code. They are facts about the service, unlike
 * requests that got no answer. Immutable.
 *
 * @param byStatus how many there were of each code, by code: from 400 on, or another than was expected
 */
public record FailedAnswers(SortedMap<Integer, Long> byStatus) {
    private static final String STATUS = "HTTP ";
    private static final int DIGITS = 3;

    public FailedAnswers {
        byStatus = Collections.unmodifiableSortedMap(new TreeMap<>(byStatus));
    }

    /** Those of a recording: the targets name the reason {@code HTTP 503}. */
    public static FailedAnswers of(Recording recording) {
        SortedMap<Integer, Long> byStatus = new TreeMap<>();
        for (Map.Entry<String, Long> failure : recording.failures().entrySet()) {
            String reason = failure.getKey();
            String said = reason.startsWith(STATUS) ? reason.substring(STATUS.length()) : "";
            String code = said.indexOf(',') == DIGITS ? said.substring(0, DIGITS) : said; // "200, expected 201"
            if (code.length() == DIGITS && code.chars().allMatch(c -> c >= '0' && c <= '9')) {
                byStatus.merge(Integer.valueOf(code), failure.getValue(), Long::sum);
            }
        }
        return new FailedAnswers(byStatus);
    }

    /** How many there were. */
    public long count() {
        return byStatus.values().stream().mapToLong(Long::longValue).sum();
    }
}
