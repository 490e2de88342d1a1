package dev.downbeat.compare;

import dev.downbeat.stats.Percentiles;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Requests of two systems compared by name, since the total may hide that one request is slower. The answers hold over
 * all names together (Bonferroni): identical systems differ at a name in at most 1 % of comparisons. Immutable.
 *
 * @param byName the names that both have, in the base's order
 * @param onlyBase names that only the base has; not compared
 * @param onlyOther names that only the other system has; not compared
 */
public record ComparedNames(Map<String, Comparison> byName, List<String> onlyBase, List<String> onlyOther) {
    /** No comparison by name. */
    static final ComparedNames NONE = new ComparedNames(Map.of(), List.of(), List.of());

    /** How much stricter the error of 5 % is for the names. */
    private static final double RARER = 5;

    private static final List<Double> PERCENTILES = Percentiles.belowMax(Percentiles.Place.BRIEF);

    public ComparedNames {
        byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
        onlyBase = List.copyOf(onlyBase);
        onlyOther = List.copyOf(onlyOther);
    }

    /** Compares all names at the requested percentiles. */
    public static ComparedNames of(Comparison whole) {
        Set<String> before = names(whole.base());
        Set<String> after = names(whole.other());
        // with one name on each side, the name is the total
        boolean isWhole = before.size() == 1 && before.equals(after);
        return isWhole ? NONE : of(whole, before, after);
    }

    /** Compares some names only, such as those with an objective. */
    public static ComparedNames of(Comparison whole, Set<String> names) {
        return of(whole, among(names, names(whole.base())), among(names, names(whole.other())));
    }

    private static Set<String> among(Set<String> names, Set<String> all) {
        return names.stream().filter(all::contains).collect(Collectors.toCollection(TreeSet::new));
    }

    private static ComparedNames of(Comparison whole, Set<String> before, Set<String> after) {
        return new ComparedNames(
                compared(whole, before.stream().filter(after::contains).toList()),
                before.stream().filter(name -> !after.contains(name)).toList(),
                after.stream().filter(name -> !before.contains(name)).toList());
    }

    private static Set<String> names(ComparedSide side) {
        return side.total().byName().keySet();
    }

    private static Map<String, Comparison> compared(Comparison whole, List<String> names) {
        List<Double> percentiles = whole.requested().isEmpty() ? PERCENTILES : whole.requested();
        Map<String, Comparison> byName = new LinkedHashMap<>();
        names.forEach(name -> byName.put(name, whole.named(name, percentiles, RARER * names.size())));
        return byName;
    }

    /**
     * The names that are worse: slower at a percentile by more than {@code tolerance}, or with more failures. Stalls
     * affect all names and are reported for the total.
     *
     * @param tolerance the accepted slowdown, such as 0.05
     */
    public Map<String, Comparison> worse(double tolerance) {
        return byName.entrySet().stream()
                .filter(one -> one.getValue().isWorseWithoutIncidents(tolerance))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, Map.Entry::getValue, (one, two) -> one, LinkedHashMap::new));
    }
}
