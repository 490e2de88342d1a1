package dev.downbeat.http.two;

import org.jspecify.annotations.Nullable;

/**
 * Of those that can bear more, the one that bears least; of several, the one for which that has been so for longest. Each
 * answer and each change costs the same however many there are. Not thread-safe.
 */
final class LeastLoaded<T> {
    private final Place<T>[] oldest;
    private final Place<T>[] youngest;
    private int least;

    /** Where one stands; outside while {@code load} is below 0. */
    static final class Place<T> {
        private final T item;
        private int load = -1;
        private @Nullable Place<T> before;
        private @Nullable Place<T> after;

        Place(T item) {
            this.item = item;
        }
    }

    /** Of loads below {@code most}. */
    LeastLoaded(int most) {
        oldest = places(most);
        youngest = places(most);
        least = most;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays know no type parameters
    private static <T> Place<T>[] places(int most) {
        return new Place[most];
    }

    /** The one to take; null if there is none. It keeps its place until {@link #move}. */
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

    /** Gives one the place of its load, or none if that is below 0 or as large as no other may be. */
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
