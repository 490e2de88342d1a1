package dev.downbeat.record;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * An immutable map of values by name that preserves order, so records with a thousand names need no defensive copies.
 */
public final class NamedValues<V> extends AbstractMap<String, V> {
    private final Map<String, V> all;

    private NamedValues(Map<String, V> all) {
        this.all = Collections.unmodifiableMap(all);
    }

    /** A snapshot of the map. */
    public static <V> Map<String, V> of(Map<String, V> names) {
        return names instanceof NamedValues ? names : taking(new LinkedHashMap<>(names));
    }

    /** Wraps the map without a copy; the caller must not modify it afterwards. */
    public static <V> Map<String, V> taking(Map<String, V> names) {
        return names.isEmpty() ? Map.of() : new NamedValues<>(names);
    }

    @Override
    public boolean containsKey(Object name) {
        return all.containsKey(name);
    }

    @Override
    @SuppressWarnings("NullAway") // as specified by Map
    public V get(Object name) {
        return all.get(name);
    }

    @Override
    public Set<Entry<String, V>> entrySet() {
        return all.entrySet();
    }
}
