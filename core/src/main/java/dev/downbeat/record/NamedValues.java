package dev.downbeat.record;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Values by name, in their order, which nobody changes any more: of a thousand names no record makes a copy of its own. */
public final class NamedValues<V> extends AbstractMap<String, V> {
    private final Map<String, V> all;

    private NamedValues(Map<String, V> all) {
        this.all = Collections.unmodifiableMap(all);
    }

    /** The same names, whatever becomes of that map. */
    public static <V> Map<String, V> of(Map<String, V> names) {
        return names instanceof NamedValues ? names : taking(new LinkedHashMap<>(names));
    }

    /** The map itself, which must not be changed from now on. */
    public static <V> Map<String, V> taking(Map<String, V> names) {
        return names.isEmpty() ? Map.of() : new NamedValues<>(names);
    }

    @Override
    public boolean containsKey(Object name) {
        return all.containsKey(name);
    }

    @Override
    @SuppressWarnings("NullAway") // as any map
    public V get(Object name) {
        return all.get(name);
    }

    @Override
    public Set<Entry<String, V>> entrySet() {
        return all.entrySet();
    }
}
