package dev.downbeat.report.data;

import dev.downbeat.exchange.ConnectionCounts;
import dev.downbeat.exchange.Exchange;
import dev.downbeat.exchange.Fate;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.Part;
import dev.downbeat.record.PartNames;
import dev.downbeat.run.SerialResult;
import dev.downbeat.selfcheck.MachineProfile;
import dev.downbeat.stats.Numbers;
import dev.downbeat.stats.position.ConnectionLifetimes;
import dev.downbeat.stats.position.FirstRequestCost;
import dev.downbeat.stats.position.Period;
import dev.downbeat.stats.position.PeriodFinder;
import dev.downbeat.stats.position.PositionFinding;
import dev.downbeat.stats.position.PositionFinding.Closes;
import dev.downbeat.stats.position.PositionSearch;
import dev.downbeat.stats.position.PositionTable;
import dev.downbeat.stats.position.SerialRequest;
import dev.downbeat.verdict.ExitCode;
import dev.downbeat.verdict.SerialChecks;
import dev.downbeat.verdict.caveat.Caveat;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What serial runs show about positions on connections.
 *
 * @param result the runs
 * @param command command line, without secrets
 * @param version Downbeat's version
 * @param machine the client's machine
 * @param runs requests of each run
 * @param positionsKnown whether the target reports positions on connections; otherwise the place in the run is used
 * @param places service times by place in the run
 * @param positions service times by position on the connection
 * @param cost additional cost of first requests on connections, or on a run's first ones if later ones differ; empty if
 *     there are too few, or positions are unknown
 * @param lives requests after which connections ended
 * @param periods periodic slowness in the runs, whatever the reason
 * @param findings most important first
 * @param caveats reasons to doubt the result or read it with care
 */
public record PositionReport(
        SerialResult result,
        List<String> command,
        String version,
        MachineProfile machine,
        List<List<SerialRequest>> runs,
        boolean positionsKnown,
        PositionTable places,
        PositionTable positions,
        Optional<FirstRequestCost> cost,
        ConnectionLifetimes lives,
        List<Period> periods,
        List<PositionFinding> findings,
        List<Caveat> caveats) {
    private static final int MOST_SLOW_PLACES = 5;

    public PositionReport {
        command = List.copyOf(command);
        runs = List.copyOf(runs);
        periods = List.copyOf(periods);
        findings = List.copyOf(findings);
        caveats = List.copyOf(caveats);
    }

    public static PositionReport of(SerialResult result, List<String> command, String version, MachineProfile machine) {
        boolean known = result.runs().stream()
                .flatMap(List::stream)
                .filter(PositionReport::isAnswered)
                .allMatch(exchange -> exchange.position > 0);
        List<List<SerialRequest>> runs = new ArrayList<>();
        List<long[]> series = new ArrayList<>();
        for (List<Exchange> run : result.runs()) {
            List<SerialRequest> requests = new ArrayList<>();
            for (Exchange exchange : run) {
                int before = requests.isEmpty()
                        ? 0
                        : requests.get(requests.size() - 1).position();
                requests.add(request(exchange, known && exchange.position > 0 ? exchange.position : before + 1));
            }
            runs.add(requests);
            series.add(requests.stream()
                    .mapToLong(request -> request.answered() ? request.serviceNanos() : -1)
                    .toArray());
        }
        return new PositionReport(
                result,
                command,
                version,
                machine,
                runs,
                known,
                PositionTable.byPlaceInRun(runs),
                PositionTable.byPositionOnConnection(runs),
                known ? FirstRequestCost.of(runs) : Optional.empty(),
                ConnectionLifetimes.of(runs),
                PeriodFinder.find(series),
                PositionSearch.find(runs, closes(result.connections()), known, names(result)),
                SerialChecks.of(result));
    }

    /** Whether {@link #cost} is that of a run's first connections alone. */
    public boolean isCostOfFirstConnections() {
        return positionsKnown && FirstRequestCost.ofLater(runs).isPresent();
    }

    public PartNames names() {
        return names(result);
    }

    private static PartNames names(SerialResult result) {
        return PartNames.of(result.connections(), result.counts());
    }

    /** {@link #cost} over a run's first connections alone, whether or not later ones differ. */
    public Optional<FirstRequestCost> openingCost() {
        return positionsKnown ? FirstRequestCost.ofOpening(runs) : Optional.empty();
    }

    /** {@link #cost} over connections that replaced another alone. */
    public Optional<FirstRequestCost> laterCost() {
        return positionsKnown ? FirstRequestCost.ofReplacing(runs) : Optional.empty();
    }

    /** How connections ended, and with what notice. */
    public Closes closes() {
        return closes(result.connections());
    }

    private static Closes closes(ConnectionCounts counts) {
        String notice = counts.streams().begun() > 0 ? Closes.GOAWAY : Closes.HEADER;
        return new Closes(counts.closedByServerWithNotice(), counts.closedByServer(), counts.closedByUs(), notice);
    }

    private static boolean isAnswered(Exchange exchange) {
        return exchange.outcome.fate() == Fate.ANSWERED;
    }

    private static SerialRequest request(Exchange exchange, int position) {
        if (!isAnswered(exchange)) {
            return SerialRequest.failed(position);
        }
        // a client's own parts may slightly exceed the total; no part may be negative
        return new SerialRequest(
                position,
                true,
                exchange.lookupNanos,
                exchange.connectNanos,
                exchange.handshakeNanos,
                Math.max(0, Part.FIRST_BYTE.nanosOf(exchange)),
                Math.max(0, Part.READING.nanosOf(exchange)));
    }

    /** Service times of answered requests by name; empty if all requests are alike. */
    public Map<String, Distribution> byName() {
        Map<String, Distribution> byName = new LinkedHashMap<>();
        List<String> names = result.names();
        for (int name = 0; name < names.size(); name++) {
            int place = name;
            Distribution times = Distribution.of(result.runs().stream()
                    .flatMap(List::stream)
                    .filter(exchange -> isAnswered(exchange) && exchange.name == place)
                    .mapToLong(Exchange::serviceNanos));
            byName.put(names.get(name), times);
        }
        return byName;
    }

    public Distribution service() {
        return Distribution.of(runs.stream()
                .flatMap(List::stream)
                .filter(SerialRequest::answered)
                .mapToLong(SerialRequest::serviceNanos));
    }

    public long answered() {
        return runs.stream()
                .flatMap(List::stream)
                .filter(SerialRequest::answered)
                .count();
    }

    public long sent() {
        return runs.stream().mapToLong(List::size).sum();
    }

    /** The period in requests, if there is one; the rule of the connections takes precedence. */
    public Optional<Integer> period() {
        return lives.isRule()
                ? Optional.of(lives.usual())
                : periods.stream().map(Period::length).findFirst();
    }

    /** Places in a run that are or should be slow: the first, and those of the period; ascending. */
    public List<Integer> slowPlaces() {
        TreeSet<Integer> slow = new TreeSet<>(List.of(1));
        int requests = result.plan().requests();
        if (lives.isRule()) {
            for (int place = lives.usual() + 1; place <= requests; place += lives.usual()) {
                slow.add(place);
            }
        } else if (!periods.isEmpty()) {
            Period surest = periods.get(0);
            for (int place : surest.places()) {
                for (int at = place; at <= requests; at += surest.length()) {
                    slow.add(at);
                }
            }
        }
        return slow.stream().limit(MOST_SLOW_PLACES).toList();
    }

    /** Whether the self-check found the measurement sound. */
    public boolean isSound() {
        return caveats.stream().noneMatch(Caveat::isDoubt);
    }

    /** Whether first requests could be compared with others; those of runs if positions on connections are unknown. */
    public boolean isDecided() {
        return FirstRequestCost.of(runs).isPresent();
    }

    /** The exit code: nothing measured, unsound or inconclusive unless that is accepted, or measured. */
    public int exitCode(boolean acceptUnsound) {
        return answered() == 0
                ? ExitCode.NOTHING
                : acceptUnsound || (isSound() && isDecided()) ? ExitCode.MET : ExitCode.UNSOUND;
    }

    public List<String> advice() {
        List<String> advice = new ArrayList<>();
        if (lives.isRule()) {
            int k = lives.usual();
            int early = Math.max(1, k * 7 / 8);
            boolean isByClient = closes().mostly() == Closes.Kind.OURS;
            advice.add(
                    k == 1
                            ? "keep connections open: enable keep-alive in the " + (isByClient ? "client" : "service")
                            : isByClient
                                    ? "keep connections open longer: Downbeat closes them after " + k + " requests"
                                    : "open the replacement connection in advance, after "
                                            + Numbers.count(early, "request"));
        }
        if (cost.filter(known -> known.lowNanos() > 0).isPresent()) {
            advice.add("open connections before the first request and reuse them: a client created for each task opens "
                    + "new ones every time");
            if (names().isHandshakeOfTls()) {
                resumption(cost.get()).ifPresent(advice::add);
            }
        }
        if (lives.isRule()) {
            advice.add("a larger pool does not help: each of its connections ends after "
                    + Numbers.count(lives.usual(), "request")
                    + " too, so the same share of requests needs a new one");
        }
        return advice;
    }

    private Optional<String> resumption(FirstRequestCost firstCost) {
        ConnectionCounts counts = result.connections();
        long handshake = firstCost.partsNanos().getOrDefault(Part.HANDSHAKE, 0L);
        long later = counts.opened() - runs.size(); // each run is a client of its own
        boolean areAllResumed = later > 0 && counts.resumed() >= later;
        if (handshake <= 0 || areAllResumed) {
            return Optional.empty();
        }
        return Optional.of("resume TLS sessions, which shortens handshakes: here "
                + Numbers.count(counts.resumed()) + " of " + Numbers.count(counts.opened())
                + " connections resumed one; a client has nothing to resume on its first");
    }
}
