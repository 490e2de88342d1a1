package dev.downbeat.http.two;

import org.jspecify.annotations.Nullable;

/**
 * Selects the least loaded entry that can take more; among equals, the one that has had this load longest. Every
 * operation takes constant time. Not thread-safe.
 */
final class LeastLoaded<T> {
    private final Place<T>[] oldest;
    private final Place<T>[] youngest;
    private int least;

    /** The position of an entry; absent while {@code load} is negative. */
    static final class Place<T> {
        private final T item;
        private int load = -1;
        private @Nullable Place<T> before;
        private @Nullable Place<T> after;

        Place(T item) {
            this.item = item;
        }
    }

    /** For loads below {@code most}. */
    LeastLoaded(int most) {
        oldest = places(most);
        youngest = places(most);
        least = most;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays cannot be generic
    private static <T> Place<T>[] places(int most) {
        return new Place[most];
    }

    /** The entry to use; null if there is none. It keeps its position until {@link #move}. */
    @Nullable
    T get() {
        while (least < oldest.length) {
            Place<T> first = oldest[least];
            if (first != null) {
                return first.item;
            }
            least++;
        }
        return null;
    }

    /** Moves an entry to the position of its load, or removes it if that is negative or at the maximum. */
    void move(Place<T> place, int load) {
        if (place.load == load) {
            return;
        }
        if (place.load >= 0) {
            takeOut(place);
        }
        if (load < 0 || load >= oldest.length) {
            return;
        }
        Place<T> last = youngest[load];
        place.load = load;
        place.before = last;
        youngest[load] = place;
        if (last == null) {
            oldest[load] = place;
        } else {
            last.after = place;
        }
        least = Math.min(least, load);
    }

    private void takeOut(Place<T> place) {
        Place<T> before = place.before;
        Place<T> after = place.after;
        if (before == null) {
            oldest[place.load] = after;
        } else {
            before.after = after;
        }
        if (after == null) {
            youngest[place.load] = before;
        } else {
            after.before = before;
        }
        place.before = null;
        place.after = null;
        place.load = -1;
    }
}
