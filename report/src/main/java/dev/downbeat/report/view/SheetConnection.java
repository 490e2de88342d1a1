package dev.downbeat.report.view;

import dev.downbeat.record.Distribution;
import dev.downbeat.report.data.Numbers;
import dev.downbeat.report.data.PositionReport;
import dev.downbeat.stats.ConnectionLives;
import dev.downbeat.stats.FirstRequestCost;
import dev.downbeat.stats.PositionFinding;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.SerialRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/** The sections of a sheet about connections: what a new one costs, how a fresh client starts, what comes back on it. */
record SheetConnection(PositionReport fresh, Optional<PositionReport> places) {
    private static final String CODE = "position";
    private static final String TITLE = "Position on the connection";
    private static final int WARM = 6;
    private static final int LEAST_WARM_RUN = 8;

    List<SheetSection> sections() {
        return List.of(cost(), cold(), position());
    }

    private SheetSection cost() {
        SheetSection.Builder section = new SheetSection.Builder();
        List<SerialRequest> first = fresh.runs().stream()
                .flatMap(List::stream)
                .filter(request -> request.answered() && request.position() == 1)
                .toList();
        String condition = "median of " + Numbers.count(first.size());
        section.known("lookup", "name look-up", condition, median(times(first, SerialRequest::lookupNanos)));
        section.known("connect", "connect", condition, median(times(first, SerialRequest::connectNanos)));
        section.known("handshake", "TLS handshake", condition, median(times(first, SerialRequest::handshakeNanos)));
        Optional<FirstRequestCost> cost = fresh.cost();
        section.row(
                "first_request_cost",
                "first request, more",
                "than those after it",
                cost.map(SheetConnection::value).orElse(SheetValue.unknown(SheetValue.Unit.NANOS)));
        return section.remark(cost.isEmpty() ? "Not enough data: fewer than 6 first requests, or none after them." : "")
                .named("connection", "A new connection");
    }

    private static SheetValue value(FirstRequestCost cost) {
        return SheetValue.nanos(cost.lowNanos(), cost.costNanos(), cost.highNanos());
    }

    private static Distribution times(List<SerialRequest> requests, ToLongFunction<SerialRequest> part) {
        Histogram histogram = Distribution.newHistogram();
        requests.forEach(request -> histogram.recordValue(Math.min(part.applyAsLong(request), Distribution.MAX_NANOS)));
        return Distribution.of(histogram);
    }

    private static SheetValue median(Distribution times) {
        // what never takes time, such as TLS where there is none, has no median worth a line
        return times.maxNanos() == 0
                ? SheetValue.unknown(SheetValue.Unit.NANOS)
                : SheetValue.of(QuantileInterval.ofIndependent(times, 50));
    }

    private SheetSection cold() {
        SheetSection.Builder section = new SheetSection.Builder();
        int clients = fresh.runs().size();
        String condition = "median of " + Numbers.count(clients) + " clients";
        for (int place : List.of(1, 2, 3)) {
            section.row("request_" + place, "request " + place, condition, ofPlaces(at -> at == place));
        }
        int requests = fresh.result().plan().requests();
        if (requests >= LEAST_WARM_RUN) {
            section.row("warm", "from request " + WARM + " on", condition, ofPlaces(at -> at >= WARM));
        }
        return section.remark("Each client is new and alone: no connection, no TLS session, no name looked up. "
                        + "Service times.")
                .named("cold_start", "Cold start of a client");
    }

    private SheetValue ofPlaces(IntPredicate wanted) {
        Histogram histogram = Distribution.newHistogram();
        for (List<SerialRequest> run : fresh.runs()) {
            for (int i = 0; i < run.size(); i++) {
                if (wanted.test(i + 1) && run.get(i).answered()) {
                    histogram.recordValue(Math.min(run.get(i).serviceNanos(), Distribution.MAX_NANOS));
                }
            }
        }
        return median(Distribution.of(histogram));
    }

    private SheetSection position() {
        return places.filter(serial -> serial.answered() > 0)
                .map(SheetConnection::position)
                .orElseGet(() -> new SheetSection.Builder()
                        .remark("Not enough data: no long run came to its end.")
                        .named(CODE, TITLE));
    }

    private static SheetSection position(PositionReport places) {
        SheetSection.Builder section = new SheetSection.Builder();
        ConnectionLives lives = places.lives();
        int requests = places.result().plan().requests();
        String seen = Numbers.count(places.runs().size()) + " runs of " + Numbers.count(requests) + " requests";
        if (lives.ended() > 0) {
            section.row(
                    "requests_per_connection",
                    "requests a connection",
                    Numbers.count(lives.withUsual()) + " of " + Numbers.count(lives.ended()) + " ended so",
                    SheetValue.between(SheetValue.Unit.COUNT, lives.shortest(), lives.usual(), lives.longest()));
        }
        places.findings().stream()
                .filter(finding -> !(finding instanceof PositionFinding.NewConnectionCosts))
                .forEach(finding -> section.remark(capital(finding.text()) + "."));
        boolean nothing =
                places.findings().stream().allMatch(finding -> finding instanceof PositionFinding.NewConnectionCosts);
        if (nothing) {
            section.remark(
                    "Nothing depends on the position of a request on its connection, as far as " + seen + " show.");
        }
        return section.remark(lives.ended() == 0 ? "No connection ended in " + seen + "." : "")
                .named(CODE, TITLE);
    }

    private static String capital(String text) {
        return Character.toUpperCase(text.charAt(0)) + text.substring(1);
    }
}
