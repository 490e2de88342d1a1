package dev.downbeat.report.view;

import dev.downbeat.analysis.Analysis;
import dev.downbeat.analysis.Finding;
import dev.downbeat.event.Incident;
import dev.downbeat.record.Ledger;
import dev.downbeat.record.Recording;
import dev.downbeat.report.data.PercentileCells;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.PercentText;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.time.DurationText;
import dev.downbeat.verdict.JudgedObjective;
import dev.downbeat.verdict.Observations;
import dev.downbeat.verdict.RunVerdict;
import dev.downbeat.verdict.ServiceLevelObjective;
import dev.downbeat.verdict.bound.ResponseBounds;
import dev.downbeat.verdict.caveat.Caveat;
import dev.downbeat.why.Explanation;
import dev.downbeat.why.WhyText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** The headline of a report: the missed objectives and the most important finding, as a user would forward it. */
public record RunHeadline(RunReport report) {
    private static final int MOST_LIMITS = 4;
    private static final double NEARLY_ALL = 0.9;

    public String text() {
        Finding first = analysis().first();
        if (first instanceof Finding.NothingMeasured nothing) {
            return "Nothing could be measured: " + nothing.why() + ".";
        }
        if (first instanceof Finding.RecordBroken broken) {
            return "These numbers are unsound: " + broken.flaw().brief() + ".";
        }
        if (first instanceof Finding.NothingAnswered unanswered && unanswered.isUnreachable()) {
            return "Nothing could be measured: " + clause(unanswered) + ".";
        }
        List<JudgedObjective> missed = of(JudgedObjective.Status.MISSED);
        if (!missed.isEmpty()) {
            return missed(missed, failuresBeforeOwnDelay(first)) + trustWarning();
        }
        return switch (first.kind()) {
            case NOT_OFFERED, OWN_DELAY -> met() + trustWarning().strip() + open();
            case UNDECIDED -> {
                JudgedObjective leading = ((Finding.Judged) first).objectives().get(0);
                yield undecided(leading) + open(leading);
            }
            case MET, MEASURED -> measured();
            default -> met() + capital(clause(first)) + "." + open() + trustWarning();
        };
    }

    /** The objectives that decide the exit code where none was missed, except those already mentioned. */
    private String open(JudgedObjective... mentioned) {
        List<JudgedObjective> open = report.verdict().objectives().stream()
                .filter(objective -> objective.isOpen() && !List.of(mentioned).contains(objective))
                .toList();
        return open.isEmpty()
                ? ""
                : (mentioned.length == 0 ? " Undecided: " : " Also undecided: ") + limits(open) + ".";
    }

    private Analysis analysis() {
        return report.analysis();
    }

    private List<JudgedObjective> of(JudgedObjective.Status status) {
        return report.verdict().objectives().stream()
                .filter(objective -> objective.status() == status)
                .toList();
    }

    private static String limits(List<JudgedObjective> objectives) {
        int rest = objectives.size() - (MOST_LIMITS - 1);
        List<String> limits = new ArrayList<>(objectives.stream()
                .limit(rest > 1 ? MOST_LIMITS - 1 : MOST_LIMITS)
                .map(RunHeadline::limit)
                .toList());
        if (rest > 1) {
            limits.add(rest + " more objectives");
        }
        return Numbers.list(limits);
    }

    private static String limit(JudgedObjective objective) {
        return objective.slo().subject() + " " + objective.slo().limit();
    }

    /**
     * The objectives that the first finding explains, then the finding, then the other objectives. A percentile of one
     * request comes before one of all, which describes none of them.
     */
    private String missed(List<JudgedObjective> all, Finding first) {
        List<JudgedObjective> missed = all.stream()
                .sorted(Comparator.comparing(objective -> !isOfOneRequest(objective)))
                .toList();
        List<JudgedObjective> explained =
                missed.stream().filter(objective -> explains(first, objective)).toList();
        boolean isOfTimes =
                explained.stream().allMatch(objective -> objective.slo().isOfTimes());
        if (explained.isEmpty() || (isOfTimes && !explained.containsAll(missed) && isOfOneRequest(missed.get(0)))) {
            JudgedObjective leading = worst(missed);
            String clause = first.kind().compareTo(Finding.Kind.CHANGED) <= 0 ? "; " + context(first, leading) : tail();
            if (clause.isEmpty() && leading.slo() instanceof ServiceLevelObjective.Percentile) {
                clause = mostNotableRequest().map(one -> "; " + one).orElse("");
            }
            String more = isOwnDelay(first) && !trustWarning().isEmpty() ? "" : clause; // its reason says so
            return "Missed " + limit(leading) + ": " + leading.reason() + more + "." + also(missed, List.of(leading));
        }
        Optional<String> name = isOfFailures(first) ? nameThatLeads(explained) : Optional.empty();
        List<JudgedObjective> mentioned = isOfFailures(first)
                ? explained.stream()
                        .filter(objective -> nameOf(objective).equals(name))
                        .toList()
                : explained;
        return "Missed " + limits(mentioned) + ": "
                + name.map(one -> failures(one, first)).orElseGet(() -> clause(first)) + "." + also(missed, mentioned);
    }

    /** The first finding; an event without which the objective is missed all the same is not blamed for it. */
    private String context(Finding first, JudgedObjective leading) {
        return first instanceof Finding.Happened happened && analysis().isMissedWithout(first, leading)
                ? "missed even without the "
                        + happened.only().map(RunHeadline::event).orElseGet(() -> events(happened.events())) + tail()
                : clause(first);
    }

    private static Optional<String> nameOf(JudgedObjective objective) {
        return objective.slo() instanceof ServiceLevelObjective.Named named
                ? Optional.of(named.name())
                : Optional.empty();
    }

    /**
     * The name whose objective is missed by the greatest factor, if nearly all failures are of that name, or none of the
     * explained objectives is one that the user set for all requests.
     */
    private Optional<String> nameThatLeads(List<JudgedObjective> explained) {
        List<JudgedObjective> named = explained.stream()
                .filter(objective -> nameOf(objective).isPresent())
                .toList();
        if (named.isEmpty()) {
            return Optional.empty();
        }
        boolean isOfAllToo = explained.stream()
                .anyMatch(objective ->
                        nameOf(objective).isEmpty() && objective.slo().isAsked());
        return nameOf(worst(named)).filter(name -> !isOfAllToo || hasNearlyAllFailures(name));
    }

    private boolean hasNearlyAllFailures(String name) {
        Ledger own = named(name).ledger();
        Ledger all = report.result().ledger();
        return own.failed() + own.timedOut() >= NEARLY_ALL * (all.failed() + all.timedOut());
    }

    private Recording all() {
        return report.result().recording();
    }

    private Recording named(String name) {
        return report.result().recording().named(name);
    }

    /** The failures of one name, as shares of its requests. */
    private String failures(String name, Finding first) {
        Recording own = named(name);
        long planned = own.ledger().planned();
        long timedOut = own.ledger().timedOut();
        String ofIts = " of its " + Numbers.count(planned, "request");
        String after = " timed out" + after(report.result().plan().timeoutNanos(), own);
        if (own.failedByService() == 0) {
            return share(timedOut, planned) + ofIts + after;
        }
        return share(own.failedByService(), planned) + ofIts + " failed"
                + reason(own.usualFailure().orElse(""), own)
                + (first instanceof Finding.Failing failing && hasNearlyAllFailures(name)
                        ? during(failing.spells())
                        : "")
                + (timedOut == 0 ? "" : "; " + share(timedOut, planned) + after);
    }

    /** The first finding; failures come before unsound times, since they remain failures. */
    private Finding failuresBeforeOwnDelay(Finding first) {
        return isOwnDelay(first)
                ? analysis().findings().stream()
                        .filter(RunHeadline::isOfFailures)
                        .findFirst()
                        .orElse(first)
                : first;
    }

    private static boolean isOwnDelay(Finding finding) {
        return finding instanceof Finding.NotOffered || finding instanceof Finding.OwnDelay;
    }

    private static boolean isOfOneRequest(JudgedObjective objective) {
        return objective.slo() instanceof ServiceLevelObjective.Named named && named.isOfTimes();
    }

    /** The objective missed by the greatest factor, of those for one request if there are any; the first of equal ones. */
    private static JudgedObjective worst(List<JudgedObjective> missed) {
        JudgedObjective worst = missed.get(0);
        for (JudgedObjective other : missed) {
            boolean isRival = isOfOneRequest(other) || !isOfOneRequest(worst);
            worst = isRival
                            && other.timesItsLimit().orElse(0)
                                    > worst.timesItsLimit().orElse(0)
                    ? other
                    : worst;
        }
        return worst;
    }

    private static String also(List<JudgedObjective> missed, List<JudgedObjective> mentioned) {
        List<JudgedObjective> others = missed.stream()
                .filter(objective -> !mentioned.contains(objective))
                .toList();
        return others.isEmpty() ? "" : " Also missed: " + limits(others) + ".";
    }

    /**
     * A finding explains no time that is missed even without it. A stall explains times beyond p99 and its own timeouts,
     * but neither other errors nor a median. Timeouts and overloads explain the percentiles that they reach, but an
     * overload of all requests explains none of one name. A pause of Downbeat explains no miss.
     */
    private boolean explains(Finding first, JudgedObjective objective) {
        ServiceLevelObjective slo = objective.slo();
        boolean isOfTimes = slo.isOfTimes();
        boolean isCause = switch (first.kind()) {
            case NOTHING_ANSWERED -> true;
            case OVERLOADED ->
                nameOf(objective).isEmpty()
                        && !(slo instanceof ServiceLevelObjective.Percentile percentile
                                && !isOverloadedAt(percentile.percentile()));
            case GAVE_UP -> (!isOfTimes || objective.isLowerBound()) && hasFailures(objective);
            case FAILING -> !isOfTimes && hasFailures(objective);
            case STALLED, SLOW ->
                isOfTimes
                        ? slo instanceof ServiceLevelObjective.Percentile percentile && percentile.percentile() >= 99
                        : analysis().findings().stream().noneMatch(RunHeadline::isOfFailures);
            default -> false;
        };
        return isCause && !(isOfTimes && analysis().isMissedWithout(first, objective));
    }

    /** Whether requests of its name failed or timed out; those of all did. */
    private boolean hasFailures(JudgedObjective objective) {
        return nameOf(objective)
                .map(this::named)
                .filter(own -> own.failedByService() + own.ledger().timedOut() == 0)
                .isEmpty();
    }

    private boolean isOverloadedAt(double percentile) {
        long felt = report.result().intervals().stream()
                .filter(interval -> analysis().observations().overloads().stream()
                        .anyMatch(phase -> interval.endNanos() > phase.startNanos()
                                && interval.startNanos() < phase.caughtUpNanos()))
                .mapToLong(interval -> interval.recording().ledger().planned())
                .sum();
        return felt >= (1 - percentile / 100) * report.result().ledger().planned();
    }

    static boolean isOfFailures(Finding finding) {
        return finding.kind() == Finding.Kind.FAILING || finding.kind() == Finding.Kind.GAVE_UP;
    }

    private String undecided(JudgedObjective objective) {
        return "Undecided: " + limit(objective) + "; " + objective.reason() + ".";
    }

    private String met() {
        List<JudgedObjective> met = of(JudgedObjective.Status.MET);
        boolean isAsked = met.stream().map(JudgedObjective::slo).anyMatch(ServiceLevelObjective::isAsked);
        return isAsked ? "Met " + limits(met) + ". " : "";
    }

    private String measured() {
        Optional<String> request = mostNotableRequest();
        if (request.isPresent()) {
            return met() + capital(request.get()) + ".";
        }
        List<JudgedObjective> met = of(JudgedObjective.Status.MET);
        String times = times();
        return met.isEmpty() ? capital(times) + "." : "Met " + limits(met) + ": " + times + ".";
    }

    /** The request that hides most or is slowest, since a percentile over different requests describes none. */
    private Optional<String> mostNotableRequest() {
        Map<String, Observations> requests = new LinkedHashMap<>();
        report.result()
                .recording()
                .requests()
                .keySet()
                .forEach(name -> requests.put(name, analysis().observations().named(name)));
        int count = requests.size();
        requests.values().removeIf(each -> !each.response().hasEnoughFor(99));
        if (count < 2 || requests.isEmpty()) {
            return Optional.empty();
        }
        Map.Entry<String, Observations> hidden = most(requests, RunHeadline::hiddenNanos);
        Map.Entry<String, Observations> slowest = most(requests, RunHeadline::p99Nanos);
        boolean isHidden = 2 * hiddenNanos(hidden.getValue()) >= p99Nanos(hidden.getValue());
        Map.Entry<String, Observations> one = isHidden ? hidden : slowest;
        ResponseBounds bounds = one.getValue().response();
        String p99 = PercentileCells.time(bounds, 99);
        return Optional.of((isHidden ? "the longest hidden wait is in " : "the slowest is ") + one.getKey() + " (1 of "
                + count + " requests): "
                + (isHidden
                        ? "p99 is " + p99 + " from the intended start, "
                                + PercentileCells.time(one.getValue().service(), 99) + " from the send"
                        : "p50 " + PercentileCells.time(bounds, 50) + ", p99 " + p99));
    }

    private static Map.Entry<String, Observations> most(
            Map<String, Observations> requests, ToLongFunction<Observations> nanos) {
        return requests.entrySet().stream()
                .reduce((one, other) ->
                        nanos.applyAsLong(other.getValue()) > nanos.applyAsLong(one.getValue()) ? other : one)
                .orElseThrow();
    }

    private static long p99Nanos(Observations request) {
        return request.response().atLeastNanos(99);
    }

    /** The time from the send is unknown where requests that were sent were not seen to end: they may hide nothing. */
    private static long hiddenNanos(Observations request) {
        return request.service().isKnownAt(99)
                ? p99Nanos(request) - request.service().atLeastNanos(99)
                : 0;
    }

    /** How far the times can be trusted, unless fully. */
    private String trustWarning() {
        RunVerdict verdict = report.verdict();
        if (verdict.hasSoundTimes()) {
            return "";
        }
        Optional<Caveat> doubt = verdict.doubtsOfTimes().stream().findFirst();
        return " The times are unsound"
                + doubt.map(caveat -> ": " + caveat.brief()).orElse("") + ".";
    }

    private String clause(Finding finding) {
        if (finding instanceof Finding.NothingAnswered none) {
            return (none.planned() == 1
                            ? "the only request did not succeed"
                            : "none of " + Numbers.count(none.planned(), "request") + " succeeded")
                    + whyNone(none);
        }
        if (finding instanceof Finding.NotOffered load) {
            return load.cause().brief();
        }
        if (finding instanceof Finding.Overloaded overloaded) {
            return overloaded.load().brief();
        }
        if (finding instanceof Finding.Failing failing) {
            return share(failing.failed(), failing.planned()) + " of " + Numbers.count(failing.planned(), "request")
                    + " failed" + reason(failing.reason(), all()) + dominantName(Ledger::failed)
                    + during(failing.spells())
                    + analysis().findings().stream()
                            .filter(Finding.GaveUp.class::isInstance)
                            .map(others -> "; " + timedOut((Finding.GaveUp) others, ""))
                            .collect(Collectors.joining());
        }
        if (finding instanceof Finding.GaveUp gaveUp) {
            return timedOut(gaveUp, " of " + Numbers.count(gaveUp.planned(), "request"));
        }
        if (finding instanceof Finding.Happened happened) {
            return happened(happened);
        }
        if (finding instanceof Finding.SlowForAWhile slow) {
            return slow.spell().brief();
        }
        if (finding instanceof Finding.Changed changed) {
            return changed.change().brief();
        }
        return finding instanceof Finding.OwnDelay delay ? delay.cause().brief() : "";
    }

    private String timedOut(Finding.GaveUp gaveUp, String ofAll) {
        return share(gaveUp.timedOut(), gaveUp.planned()) + ofAll + " timed out" + after(gaveUp.timeoutNanos(), all())
                + dominantName(Ledger::timedOut);
    }

    /** " after 30 s"; empty if requests gave up earlier, since one of Gatling's may have a timeout of its own. */
    private static String after(long timeoutNanos, Recording of) {
        long nearlyNanos = timeoutNanos - timeoutNanos / 100; // recorded times are rounded
        long waited = of.censored().countAbove(nearlyNanos);
        return waited < of.ledger().timedOut() ? "" : " after " + DurationText.format(timeoutNanos);
    }

    /** Requests in flight or timeouts, if they are most of it; else the most frequent failure. */
    private String whyNone(Finding.NothingAnswered none) {
        long inFlight = report.result().ledger().inFlight();
        if (2 * inFlight > none.planned()) {
            String share = none.planned() == 1 ? "" : inFlight == none.planned() ? "all " : "most ";
            return " (" + share + "still in flight at the end)";
        }
        long timedOut = report.result().ledger().timedOut();
        return 2 * timedOut <= none.planned()
                ? reason(none.reason(), all())
                : (none.planned() == 1 ? " (" : timedOut == none.planned() ? " (all " : " (most ") + "timed out"
                        + after(report.result().plan().timeoutNanos(), all()) + ")";
    }

    /** The most frequent reason, which is not that of all failures if there are others. */
    private static String reason(String reason, Recording of) {
        Map<String, Long> failures = of.failures();
        long all = failures.values().stream().mapToLong(Long::longValue).sum();
        boolean isOfAll = failures.getOrDefault(reason, all) >= NEARLY_ALL * all;
        return reason.isEmpty() ? "" : " (" + (isOfAll ? "" : "most often ") + reason + ")";
    }

    /** The name that nearly all failures are of, if there are several. */
    private String dominantName(ToLongFunction<Ledger> kind) {
        long all = kind.applyAsLong(report.result().ledger());
        Map<String, Recording> requests = report.result().recording().requests();
        return requests.entrySet().stream()
                .filter(one -> requests.size() > 1)
                .filter(one -> kind.applyAsLong(one.getValue().ledger()) >= NEARLY_ALL * all)
                .findFirst()
                .map(one -> (kind.applyAsLong(one.getValue().ledger()) == all ? ", all" : ", nearly all") + " of them "
                        + one.getKey())
                .orElse("");
    }

    private static String during(List<Incident> bursts) {
        if (bursts.isEmpty()) {
            return "";
        }
        return bursts.size() == 1
                ? ", " + from(bursts.get(0))
                : ", in " + bursts.size() + " bursts from "
                        + Numbers.seconds(bursts.get(0).startNanos()) + " on";
    }

    /** The time of an incident, to follow a noun. */
    private static String from(Incident event) {
        String length = DurationText.rounded(event.lengthNanos());
        return "from " + Numbers.seconds(event.startNanos())
                + (event.isOpen() ? " to the end, at least " + length : " for " + length);
    }

    private static String share(long count, long planned) {
        return PercentText.of((double) count / Math.max(1, planned));
    }

    private String happened(Finding.Happened happened) {
        return happened.only()
                .map(event -> one(event)
                        + report.why()
                                .of(event)
                                .map(found -> cause(found, "it"))
                                .orElse(""))
                .orElseGet(() -> events(happened.events()) + caused(happened.events(), happened.tailShare()) + tail());
    }

    /** The service's events that explain it. */
    private String tail() {
        String tail = report.why()
                .tail()
                .map(found -> cause(found, found.subject().time()))
                .orElse("");
        String incidents = WhyText.incidents(report.why().explanations());
        return tail.isEmpty() && !incidents.isEmpty() ? "; " + incidents : tail;
    }

    private static String cause(Explanation found, String of) {
        String first = WhyText.first(found, of);
        return first.isEmpty() ? "" : "; " + first;
    }

    private String one(Incident incident) {
        return "one " + event(incident) + (incident.isOpen() ? "," : "")
                + caused(List.of(incident), incident.tailShare());
    }

    private static String event(Incident incident) {
        String noun = words(incident.cause(), false, incident.name());
        return incident.isOpen()
                ? noun + " " + from(incident)
                : DurationText.rounded(incident.lengthNanos()) + " " + noun + " at "
                        + Numbers.seconds(incident.startNanos());
    }

    private static String events(List<Incident> alike) {
        LongSummaryStatistics lengths =
                alike.stream().mapToLong(Incident::lengthNanos).summaryStatistics();
        String shortest = DurationText.rounded(lengths.getMin());
        String longest = DurationText.rounded(lengths.getMax());
        return alike.size() + " " + words(alike.get(0).cause(), true, nameOf(alike)) + " of "
                + (shortest.equals(longest) ? longest : shortest + " to " + longest);
    }

    /** Omits percentiles that the table does not show. */
    private String caused(List<Incident> alike, double tailShare) {
        if (!analysis().response().hasEnoughFor(99)) {
            long hit = alike.stream().mapToLong(Incident::requestsHit).sum();
            return " hit "
                    + Numbers.count(Math.min(hit, report.result().ledger().planned())) + " of "
                    + Numbers.count(report.result().ledger().planned(), "request");
        }
        String share = tailShare == 1 ? "every request" : PercentText.whole(tailShare) + " of the requests";
        return " caused " + share + " beyond p99";
    }

    private static String nameOf(List<Incident> alike) {
        List<String> names = alike.stream().map(Incident::name).distinct().toList();
        return names.size() == 1 ? names.get(0) : "";
    }

    private static String words(Incident.Cause cause, boolean several, String name) {
        String of = name.isEmpty() ? "" : " of " + name;
        return switch (cause) {
            case SERVICE_STALL -> (several ? "stalls" : "stall") + of;
            case SERVICE_SLOW -> (several ? "slow spells" : "slow spell") + (of.isEmpty() ? " of the service" : of);
            case UNREACHABLE -> (several ? "outages" : "outage") + of;
            case SLOW_LOOKUP -> several ? "slow name lookups" : "slow name lookup";
            case OUR_PAUSE -> several ? "pauses of Downbeat itself" : "pause of Downbeat itself";
            case STARTING -> several ? "slow starts" : "slow start";
            case CONNECTION_CHURN -> several ? "bursts of new connections" : "burst of new connections";
            case BACKLOG -> several ? "backlogs" : "backlog";
            case OVERLOAD -> several ? "overloads" : "overload";
            case ERRORS -> several ? "bursts of errors" : "burst of errors";
            case UNKNOWN -> several ? "slow spells" : "slow spell";
        };
    }

    /** Percentiles that are mostly Downbeat's are omitted, unless all of them are. */
    private String times() {
        ResponseBounds bounds = analysis().response();
        List<Double> supported = Percentiles.of(Percentiles.Place.HEADLINE).stream()
                .filter(bounds::hasEnoughFor)
                .toList();
        List<Double> ofService = supported.stream()
                .filter(percentile -> 2 * bounds.ownDelayNanos(percentile) <= bounds.atLeastNanos(percentile))
                .toList();
        List<String> parts = (ofService.isEmpty() ? supported : ofService)
                .stream().map(percentile -> time(bounds, percentile)).toList();
        if (parts.isEmpty()) {
            return "too few requests were answered for a percentile";
        }
        if (report.result().throughput().answered() == 0) {
            return String.join(", ", parts); // all answers came after the load
        }
        return String.join(", ", parts) + ", at "
                + Numbers.rate(report.result().throughput().perSecond());
    }

    private static String time(ResponseBounds bounds, double percentile) {
        return (percentile == 50 ? "the median was " : Percentiles.name(percentile) + " ")
                + (bounds.isKnownAt(percentile) ? "" : "at least ")
                + DurationText.rounded(bounds.atLeastNanos(percentile))
                + ours(bounds, percentile);
    }

    private static String ours(ResponseBounds bounds, double percentile) {
        return bounds.hasNotableOwnDelay(percentile)
                ? " (up to " + DurationText.rounded(bounds.ownDelayNanos(percentile)) + " of it may be Downbeat's)"
                : "";
    }

    public static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
