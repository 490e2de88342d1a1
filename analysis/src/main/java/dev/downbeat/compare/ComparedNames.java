package dev.downbeat.compare;

import dev.downbeat.stats.Percentiles;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The requests of two systems, each by its name: the whole may hide that one of them is slower, since it has others as well. The
 * answers hold over all names together (Bonferroni): of two identical systems a name is told apart in at most 1 % of comparisons,
 * since it is one more question about the same runs. Immutable.
 *
 * @param byName those that both have, in the order of the base
 * @param onlyBase names that the other has not, which are compared with nothing
 * @param onlyOther names that the base has not
 */
public record ComparedNames(Map<String, Comparison> byName, List<String> onlyBase, List<String> onlyOther) {
    /** Of runs whose requests are not looked at by name. */
    static final ComparedNames NONE = new ComparedNames(Map.of(), List.of(), List.of());

    /** Of the 5 % of the whole. */
    private static final double RARER = 5;

    /** Unless somebody asks for others. */
    private static final List<Double> PERCENTILES = Percentiles.belowMax(Percentiles.Place.BRIEF);

    public ComparedNames {
        byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
        onlyBase = List.copyOf(onlyBase);
        onlyOther = List.copyOf(onlyOther);
    }

    /** All names, at the percentiles that were asked for. */
    public static ComparedNames of(Comparison whole) {
        Set<String> before = names(whole.base());
        Set<String> after = names(whole.other());
        List<String> both = before.stream().filter(after::contains).toList();
        // one name on each side is all requests once more
        boolean isWhole = both.size() == 1 && before.size() == 1 && after.size() == 1;
        return new ComparedNames(
                compared(whole, isWhole ? List.of() : both),
                before.stream().filter(name -> !after.contains(name)).toList(),
                after.stream().filter(name -> !before.contains(name)).toList());
    }

    /** Some names alone, such as those that have an objective of their own. */
    public static ComparedNames of(Comparison whole, Set<String> names) {
        Set<String> before = names(whole.base());
        Set<String> after = names(whole.other());
        List<String> sorted = names.stream().sorted().toList();
        return new ComparedNames(
                compared(
                        whole,
                        sorted.stream()
                                .filter(name -> before.contains(name) && after.contains(name))
                                .toList()),
                sorted.stream()
                        .filter(name -> before.contains(name) && !after.contains(name))
                        .toList(),
                sorted.stream()
                        .filter(name -> after.contains(name) && !before.contains(name))
                        .toList());
    }

    private static Set<String> names(ComparedSide side) {
        return side.total().byName().keySet();
    }

    private static Map<String, Comparison> compared(Comparison whole, List<String> names) {
        List<Double> percentiles = whole.asked().isEmpty() ? PERCENTILES : whole.asked();
        Map<String, Comparison> byName = new LinkedHashMap<>();
        names.forEach(name -> byName.put(name, whole.named(name, percentiles, RARER * names.size())));
        return byName;
    }

    /**
     * Those that are worse: slower at a percentile by more than {@code tolerance}, or they fail more. Stalls meet all names and are
     * told of the whole.
     *
     * @param tolerance how much slower is no regression, such as 0.05
     */
    public Map<String, Comparison> worse(double tolerance) {
        return byName.entrySet().stream()
                .filter(one -> one.getValue().isWorseByItself(tolerance))
                .collect(Collectors.toMap(
                        Map.Entry::getKey, Map.Entry::getValue, (one, two) -> one, LinkedHashMap::new));
    }
}
