package dev.downbeat.report.view;

import dev.downbeat.verdict.ResponseBounds;
import java.util.List;

/** How the numbers of a report came about, and what they cannot say. */
final class HtmlMethod {
    static final List<String> SENTENCES = List.of(
            "Response times count from the intended start of each request. They are already corrected for coordinated"
                    + " omission: do not correct them again.",
            "Service times count from when a request was sent. They are what a tool sees that waits for an answer before it"
                    + " goes on.",
            "A percentile is the time that this share of the requests did not exceed: one that occurred, never"
                    + " interpolated, at most 0.1 % too high. It is shown if at least " + ResponseBounds.LEAST_BEYOND
                    + " requests are expected beyond it.",
            "A request whose end was not seen counts with the time it had lasted, as a lower bound, marked ≥. None is"
                    + " dropped.",
            "The 95 % intervals allow for requests that wait together. Where slow requests came in one piece there is no"
                    + " upper end, since one incident says little about how often it happens.",
            "An objective is met with all of our own delays, and missed without any. A row of which more than a tenth, and"
                    + " more than a millisecond, may be ours says so.",
            "Percentiles over time are those of all requests that ended in a stretch, never means of percentiles. In a long"
                    + " run neighbouring stretches are joined.",
            "One run on one machine is one sample: compare runs, and look at the verdict first.");

    private HtmlMethod() {}
}
