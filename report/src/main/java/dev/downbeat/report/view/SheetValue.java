package dev.downbeat.report.view;

import dev.downbeat.stats.Growth;
import dev.downbeat.stats.QuantileInterval;
import dev.downbeat.stats.ShareInterval;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * A number on a sheet with the ends of its 95 % interval. What is not known is empty.
 *
 * @param unit what it counts
 * @param low lower end of the interval
 * @param typical what was seen
 * @param high upper end of the interval
 */
record SheetValue(Unit unit, OptionalDouble low, OptionalDouble typical, OptionalDouble high) {
    private static final int DIGITS = 3;
    private static final String UNKNOWN = "-";

    /** What a value counts. */
    enum Unit {
        NANOS("_ns"),
        PER_SECOND("_per_s"),
        SHARE("_share"),
        COUNT("");

        private final String ending;

        Unit(String ending) {
            this.ending = ending;
        }

        /** How names in JSON end. */
        String ending() {
            return ending;
        }
    }

    static SheetValue unknown(Unit unit) {
        return new SheetValue(unit, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty());
    }

    /** Something of which no interval is known. */
    static SheetValue seen(Unit unit, double value) {
        return new SheetValue(unit, OptionalDouble.empty(), OptionalDouble.of(value), OptionalDouble.empty());
    }

    static SheetValue of(QuantileInterval interval) {
        return new SheetValue(
                Unit.NANOS,
                interval.lowNanos().isPresent()
                        ? OptionalDouble.of((double) interval.lowNanos().getAsLong())
                        : OptionalDouble.empty(),
                OptionalDouble.of((double) interval.valueNanos()),
                interval.highNanos().isPresent()
                        ? OptionalDouble.of((double) interval.highNanos().getAsLong())
                        : OptionalDouble.empty());
    }

    static SheetValue between(Unit unit, double low, double typical, double high) {
        return new SheetValue(unit, OptionalDouble.of(low), OptionalDouble.of(typical), OptionalDouble.of(high));
    }

    static SheetValue seenNanos(long nanos) {
        return seen(Unit.NANOS, (double) nanos);
    }

    static SheetValue nanos(long low, long typical, long high) {
        return between(Unit.NANOS, (double) low, (double) typical, (double) high);
    }

    static SheetValue of(Growth.Capacity capacity) {
        return between(Unit.PER_SECOND, capacity.lowPerSecond(), capacity.perSecond(), capacity.highPerSecond());
    }

    static SheetValue of(ShareInterval share) {
        return between(Unit.SHARE, share.low(), share.share(), share.high());
    }

    boolean isKnown() {
        return typical.isPresent();
    }

    String lowText() {
        return text(low);
    }

    String typicalText() {
        return text(typical);
    }

    String highText() {
        return text(high);
    }

    private String text(OptionalDouble value) {
        return value.isEmpty() ? UNKNOWN : number(value.getAsDouble(), scale()) + suffix();
    }

    /** "3.10 (2.91-3.40) ms": all three in the unit of the value. */
    String inOne() {
        if (!isKnown()) {
            return UNKNOWN;
        }
        double scale = scale();
        String ends = low.isEmpty() && high.isEmpty()
                ? ""
                : " (" + (low.isEmpty() ? "0" : number(low.getAsDouble(), scale)) + "-"
                        + (high.isEmpty() ? "?" : number(high.getAsDouble(), scale)) + ")";
        return number(typical.getAsDouble(), scale) + ends + suffix();
    }

    /** The unit of time that suits the value, or its high end where there is none. */
    private double scale() {
        double nanos = typical.orElse(high.orElse(0));
        return switch (unit) {
            case NANOS -> nanos >= 1e9 ? 1e9 : nanos >= 1e6 ? 1e6 : nanos >= 1e3 ? 1e3 : 1;
            case SHARE -> 0.01;
            case PER_SECOND, COUNT -> 1;
        };
    }

    private String suffix() {
        double scale = scale();
        return switch (unit) {
            case NANOS -> scale == 1e9 ? " s" : scale == 1e6 ? " ms" : scale == 1e3 ? " us" : " ns";
            case SHARE -> " %";
            case PER_SECOND -> " /s";
            case COUNT -> "";
        };
    }

    private static String number(double value, double scale) {
        double scaled = value / scale;
        if (Math.abs(scaled) >= 100 || scaled == Math.rint(scaled)) {
            return String.format(Locale.ROOT, "%,d", Math.round(scaled));
        }
        BigDecimal rounded = BigDecimal.valueOf(scaled).round(new MathContext(DIGITS, RoundingMode.HALF_UP));
        return rounded.scale() > DIGITS + 1
                ? rounded.setScale(DIGITS + 1, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString()
                : rounded.toPlainString();
    }
}
