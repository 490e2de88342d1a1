package dev.downbeat.record;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Recordings by name, in their order, which nobody changes any more: of a thousand names no record makes a copy of its own. */
public final class NamedRecordings extends AbstractMap<String, Recording> {
    private static final NamedRecordings NONE = new NamedRecordings(Map.of());

    private final Map<String, Recording> all;

    private NamedRecordings(Map<String, Recording> all) {
        this.all = Collections.unmodifiableMap(all);
    }

    /** The same names, whatever becomes of that map. */
    static Map<String, Recording> of(Map<String, Recording> names) {
        return names instanceof NamedRecordings ? names : taking(new LinkedHashMap<>(names));
    }

    /** The map itself, which must not be changed from now on. */
    public static Map<String, Recording> taking(Map<String, Recording> names) {
        return names.isEmpty() ? NONE : new NamedRecordings(names);
    }

    @Override
    public boolean containsKey(Object name) {
        return all.containsKey(name);
    }

    @Override
    @SuppressWarnings("NullAway") // as any map
    public Recording get(Object name) {
        return all.get(name);
    }

    @Override
    public Set<Entry<String, Recording>> entrySet() {
        return all.entrySet();
    }
}
