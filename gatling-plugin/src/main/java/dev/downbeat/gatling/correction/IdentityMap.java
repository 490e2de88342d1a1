package dev.downbeat.gatling.correction;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A map keyed by string identity: equal but distinct strings are different keys. Thread-safe. */
final class IdentityMap<T> {
    private final Map<Key, T> values = new ConcurrentHashMap<>();

    private record Key(String string) {
        @Override
        @SuppressWarnings("ReferenceEquality") // identity is intended
        public boolean equals(@Nullable Object other) {
            return other instanceof Key that && that.string == string;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(string);
        }
    }

    void put(String string, T value) {
        values.put(new Key(string), value);
    }

    @Nullable
    T get(String string) {
        return values.get(new Key(string));
    }

    @Nullable
    T remove(String string) {
        return values.remove(new Key(string));
    }

    List<T> all() {
        return List.copyOf(values.values());
    }
}
