package dev.downbeat.gatling.ledger;

import dev.downbeat.exchange.Plain;
import dev.downbeat.exchange.Redaction;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Displayable request names, each with an index. Names should be few: after the first hundreds, further ones share an
 * index. Finding an index requires the journal's lock; any thread may read the list.
 */
final class RequestNames {
    private static final int MOST = 500;
    private static final String OTHERS = "(other names)";

    private final Map<String, Integer> places = new HashMap<>();
    private final CopyOnWriteArrayList<String> shown = new CopyOnWriteArrayList<>();

    CopyOnWriteArrayList<String> shown() {
        return shown;
    }

    int placeOf(String name) {
        Integer known = places.get(name);
        return known != null ? known : places.computeIfAbsent(places.size() < MOST ? name : OTHERS, this::place);
    }

    private int place(String name) {
        String told = Plain.line(Redaction.line(name));
        shown.addIfAbsent(told);
        return shown.indexOf(told);
    }
}
