package dev.downbeat.stats.position;

import dev.downbeat.record.Distribution;
import dev.downbeat.stats.Percentiles;
import dev.downbeat.stats.QuantileInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntBiFunction;
import java.util.stream.LongStream;

/**
 * Service times by place in a serial run, or by position on the connection. Immutable.
 *
 * @param rows places with requests, ascending
 */
public record PositionTable(List<Row> rows) {
    public PositionTable {
        rows = List.copyOf(rows);
    }

    /**
     * One place.
     *
     * @param place from 1
     * @param service service times of its answered requests, at least one
     * @param intervals those of {@link Percentiles.Place#POSITION}, the median first
     */
    public record Row(int place, Distribution service, List<QuantileInterval> intervals) {
        public Row {
            intervals = List.copyOf(intervals);
        }

        static Row of(int place, Distribution service) {
            return new Row(
                    place,
                    service,
                    Percentiles.of(Percentiles.Place.POSITION).stream()
                            .map(percentile -> QuantileInterval.ofIndependent(service, percentile))
                            .toList());
        }
    }

    /** By place in the run: requests 1, 2, 3 and so on of each. */
    public static PositionTable byPlaceInRun(List<List<SerialRequest>> runs) {
        return of(runs, (run, i) -> i + 1);
    }

    public static PositionTable byPositionOnConnection(List<List<SerialRequest>> runs) {
        return of(runs, (run, i) -> run.get(i).position());
    }

    private static PositionTable of(
            List<List<SerialRequest>> runs, ToIntBiFunction<List<SerialRequest>, Integer> placeOf) {
        List<LongStream.Builder> byPlace = new ArrayList<>();
        for (List<SerialRequest> run : runs) {
            for (int i = 0; i < run.size(); i++) {
                int place = placeOf.applyAsInt(run, i);
                while (byPlace.size() < place) {
                    byPlace.add(LongStream.builder());
                }
                if (run.get(i).answered()) {
                    byPlace.get(place - 1).add(run.get(i).serviceNanos());
                }
            }
        }
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < byPlace.size(); i++) {
            Distribution service = Distribution.of(byPlace.get(i).build());
            if (!service.isEmpty()) {
                rows.add(Row.of(i + 1, service));
            }
        }
        return new PositionTable(rows);
    }
}
