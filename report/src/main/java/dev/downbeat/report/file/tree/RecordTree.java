package dev.downbeat.report.file.tree;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.RecordedTimes;
import dev.downbeat.arrival.Replay;
import dev.downbeat.json.JsonReader;
import dev.downbeat.json.RecordMember;
import dev.downbeat.record.Attribution;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.OutcomeCounts;
import dev.downbeat.record.Recording.Anatomy;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.ServiceTimesByPosition;
import dev.downbeat.record.WaitTimes;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunSpan;
import dev.downbeat.run.Shard;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.ServiceLevelObjective;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Converts records to trees for {@link JsonTree}, without loss, and back. Members have their component's name in
 * snake_case, with {@code ns} for {@code Nanos}. Records of sealed types have a {@code type}. Empty values are omitted.
 * On reading, missing values are zero or empty, so files older than a component can be read; unknown members are
 * ignored.
 *
 * <p>The names of these records are therefore a promise; a test keeps a file of each schema.
 */
public final class RecordTree {
    private static final String UNTIL_STEADY = "until_steady";

    private static final String TYPE = "type";
    private static final String DEFAULT = "default";
    private static final Set<Object> NOT_FINITE = Set.of("Infinity", "-Infinity", "NaN");

    /** Groups of components whose members appear in the enclosing object. */
    private static final Set<Class<?>> GROUPS = Set.of(
            RunSpan.class, LaneCounts.class, ResponseTimes.class, OutcomeCounts.class, WaitTimes.class, Anatomy.class);

    /** The type name of a record that is one of several kinds. */
    private static final ClassValue<Optional<String>> ONE_OF_SEVERAL = new ClassValue<>() {
        @Override
        protected Optional<String> computeValue(Class<?> kind) {
            return Arrays.stream(kind.getInterfaces()).anyMatch(Class::isSealed)
                    ? Optional.of(typeName(kind))
                    : Optional.empty();
        }
    };

    private RecordTree() {}

    private static boolean isGroup(Class<?> kind) {
        return GROUPS.contains(kind);
    }

    private static String typeName(Class<?> type) {
        return RecordMember.key(Character.toLowerCase(type.getSimpleName().charAt(0))
                + type.getSimpleName().substring(1));
    }

    /** Converts a record, or a value within one. */
    public static Object tree(Object value) {
        if (value instanceof Number || value instanceof Boolean || value instanceof String) {
            return value;
        }
        if (value instanceof Enum<?> constant) {
            return constant.name().toLowerCase(Locale.ROOT);
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> members = new LinkedHashMap<>();
            map.forEach((name, member) -> members.put((String) tree(name), tree(member)));
            return members;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(RecordTree::tree).toList();
        }
        return ofOwnType(value);
    }

    private static Object ofOwnType(Object value) {
        if (value instanceof Distribution times) {
            return DistributionText.of(times);
        }
        if (value instanceof ServiceTimesByPosition positions) {
            return tree(positions.all());
        }
        if (value instanceof Attribution attribution) {
            return tree(attribution.bands());
        }
        if (value instanceof ServiceLevelObjective slo) {
            return slo.isAsked() ? slo.text() : Map.of(DEFAULT, slo.text());
        }
        if (value instanceof Instant) {
            return value.toString();
        }
        if (value instanceof RunPlan plan) {
            return ofPlan(plan);
        }
        return value instanceof Replay replay ? ofReplay(replay) : members((Record) value);
    }

    private static Map<String, Object> ofPlan(RunPlan plan) {
        Map<String, Object> members = membersExcept(Set.of("start", "warmUpNanos"), plan);
        if (plan.warmUpNanos() > 0) {
            members.put("warm_up_ns", plan.warmUpNanos());
        } else if (plan.warmsUpUntilSteady()) {
            members.put("warm_up", UNTIL_STEADY);
        }
        plan.start().ifPresent(start -> members.put("start", tree(start)));
        return members;
    }

    private static Map<String, Object> ofReplay(Replay replay) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put(TYPE, "replay");
        RecordedTimes recorded = replay.recorded();
        if (!(recorded instanceof RecordedTimes.Kept)) {
            members.put("count", recorded.count());
            members.put("digest", recorded.digest());
            members.put("speed", List.of(replay.numerator(), replay.denominator()));
            return members;
        }
        List<Long> offsets = new ArrayList<>(replay.count());
        IntendedTimes times = replay.times();
        for (long nanos = times.nextNanos(); nanos != IntendedTimes.END; nanos = times.nextNanos()) {
            offsets.add(nanos);
        }
        members.put("offsets_ns", offsets);
        return members;
    }

    private static Map<String, Object> members(Record value) {
        return membersExcept(Set.of(), value);
    }

    /** Converts a record without some components, which may be large and are not even read. */
    public static Map<String, Object> membersExcept(Set<String> components, Record value) {
        Map<String, Object> members = new LinkedHashMap<>();
        ONE_OF_SEVERAL.get(value.getClass()).ifPresent(name -> members.put(TYPE, name));
        for (RecordMember component : RecordMember.of(value.getClass())) {
            if (components.contains(component.name())) {
                continue;
            }
            Object member = optional(component.get(value));
            if (isGroup(component.type())) {
                members.putAll(members((Record) component.get(value)));
            } else if (member != null && !isEmpty(member)) {
                members.put(component.key(), tree(member));
            }
        }
        return members;
    }

    private static boolean isEmpty(Object member) {
        return (member instanceof List<?> list && list.isEmpty())
                || (member instanceof Map<?, ?> map && map.isEmpty())
                || (member instanceof Distribution times && times.isEmpty());
    }

    private static @Nullable Object optional(Object member) {
        if (member instanceof Optional<?> optional) {
            return optional.isPresent() ? optional.get() : null;
        }
        if (member instanceof OptionalLong optional) {
            return optional.isPresent() ? (Object) optional.getAsLong() : null;
        }
        if (member instanceof OptionalDouble optional) {
            return optional.isPresent() ? (Object) optional.getAsDouble() : null;
        }
        return member;
    }

    /**
     * Converts a tree to a record.
     *
     * @throws IOException if the record refuses a value
     */
    public static <T> T read(Class<T> type, Object tree) throws IOException {
        try {
            return type.cast(value(type, tree));
        } catch (RuntimeException refused) {
            throw new IOException("corrupt: " + UntrustedFile.why(refused), refused);
        }
    }

    private static Object value(Type type, Object tree) throws IOException {
        if (type instanceof ParameterizedType generic) {
            return collection(generic, tree);
        }
        Class<?> kind = (Class<?>) type;
        if (kind == long.class || kind == Long.class) {
            return whole(tree);
        }
        if (kind == int.class || kind == Integer.class) {
            long number = whole(tree);
            if (number != (int) number) {
                throw new IllegalArgumentException("the number " + number + " is too large");
            }
            return (int) number;
        }
        if (kind == double.class || kind == Double.class) {
            return real(tree);
        }
        if (kind == boolean.class) {
            return as(Boolean.class, tree);
        }
        if (kind == String.class) {
            return as(String.class, tree);
        }
        if (kind == Object.class) {
            if (tree == JsonReader.NULL) {
                throw new IllegalArgumentException("a value was expected");
            }
            return tree;
        }
        if (kind == OptionalLong.class) {
            return OptionalLong.of(whole(tree));
        }
        if (kind == OptionalDouble.class) {
            return OptionalDouble.of(real(tree));
        }
        return kind.isEnum() ? constant(kind, as(String.class, tree)) : valueOfOwnType(kind, tree);
    }

    /** Casts, with a readable error message. */
    private static <T> T as(Class<T> kind, Object tree) {
        if (!kind.isInstance(tree)) {
            String expected = kind == Number.class ? "a number" : kind == Boolean.class ? "true or false" : "a text";
            throw new IllegalArgumentException(expected + " was expected");
        }
        return kind.cast(tree);
    }

    /** JSON has no infinite numbers, so they are words. */
    private static double real(Object tree) {
        return NOT_FINITE.contains(tree)
                ? Double.parseDouble((String) tree)
                : as(Number.class, tree).doubleValue();
    }

    private static long whole(Object tree) {
        if (tree instanceof Long || tree instanceof Integer) {
            return ((Number) tree).longValue();
        }
        throw new IllegalArgumentException("a whole number was expected");
    }

    private static List<?> list(Object tree) {
        if (tree instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException("a list was expected");
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException none) {
            throw new IllegalArgumentException("'" + text + "' is not a timestamp", none);
        }
    }

    private static Object constant(Class<?> kind, String name) {
        for (Object constant : kind.getEnumConstants()) {
            if (((Enum<?>) constant).name().equalsIgnoreCase(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("unknown " + typeName(kind) + " '" + name + "'");
    }

    private static Object collection(ParameterizedType generic, Object tree) throws IOException {
        Type[] of = generic.getActualTypeArguments();
        if (generic.getRawType() == Optional.class) {
            return Optional.of(value(of[0], tree));
        }
        if (generic.getRawType() == List.class) {
            List<Object> list = new ArrayList<>();
            for (Object element : list(tree)) {
                list.add(value(of[0], element));
            }
            return list;
        }
        Map<Object, Object> map = generic.getRawType() == SortedMap.class ? new TreeMap<>() : new LinkedHashMap<>();
        for (Map.Entry<String, Object> member : JsonTree.asObject(tree).entrySet()) {
            map.put(value(of[0], member.getKey()), value(of[1], member.getValue()));
        }
        return map;
    }

    private static Object valueOfOwnType(Class<?> kind, Object tree) throws IOException {
        if (kind == Distribution.class) {
            return DistributionText.read(as(String.class, tree));
        }
        if (kind == ServiceTimesByPosition.class) {
            List<Distribution> all = new ArrayList<>();
            for (Object times : list(tree)) {
                all.add(DistributionText.read(as(String.class, times)));
            }
            return new ServiceTimesByPosition(all);
        }
        if (kind == Attribution.class) {
            List<Attribution.Band> bands = new ArrayList<>();
            for (Object band : list(tree)) {
                bands.add(read(Attribution.Band.class, band));
            }
            return Attribution.of(bands);
        }
        if (kind == ServiceLevelObjective.class) {
            return objective(tree);
        }
        if (kind == Instant.class) {
            return instant(as(String.class, tree));
        }
        Map<String, Object> members = JsonTree.asObject(tree);
        return record(kind.isSealed() ? permitted(kind, members) : kind, members);
    }

    private static ServiceLevelObjective objective(Object tree) throws IOException {
        if (!(tree instanceof Map)) {
            return ServiceLevelObjective.saved(as(String.class, tree));
        }
        Object limit = JsonTree.asObject(tree).getOrDefault(DEFAULT, "");
        if (ServiceLevelObjective.saved(as(String.class, limit)) instanceof ServiceLevelObjective.Errors errors) {
            return errors.asDefault();
        }
        throw new IllegalArgumentException("unknown default objective '" + limit + "'");
    }

    private static Class<?> permitted(Class<?> kind, Map<String, Object> members) {
        Object name = members.getOrDefault(TYPE, "");
        List<Class<?>> open = new ArrayList<>(List.of(kind.getPermittedSubclasses()));
        while (!open.isEmpty()) {
            Class<?> permitted = open.remove(0);
            if (permitted.isSealed()) {
                open.addAll(List.of(permitted.getPermittedSubclasses()));
            } else if (typeName(permitted).equals(name)) {
                return permitted;
            }
        }
        throw new IllegalArgumentException("unknown " + typeName(kind) + " '" + name + "'");
    }

    private static Object record(Class<?> kind, Map<String, Object> members) throws IOException {
        if (kind == Replay.class && members.get("count") instanceof Number count) {
            List<?> speed = (List<?>) members.getOrDefault("speed", List.of(1, 1));
            long digest = ((Number) members.getOrDefault("digest", 0)).longValue();
            return Replay.of(new RecordedTimes.Elsewhere(Math.toIntExact(count.longValue()), digest))
                    .scaled(((Number) speed.get(0)).longValue(), ((Number) speed.get(1)).longValue());
        }
        if (kind == Replay.class) {
            return Replay.of(((List<?>) members.getOrDefault("offsets_ns", List.of()))
                    .stream().mapToLong(offset -> ((Number) offset).longValue()).toArray());
        }
        if (kind == RunPlan.class) {
            completePlan(members);
        }
        if (kind == Workload.External.class) {
            members.putIfAbsent("recorded_by", recordedBy(members.get("description")));
        }
        List<Object> values = new ArrayList<>();
        for (RecordMember component : RecordMember.of(kind)) {
            values.add(isGroup(component.type()) ? record(component.type(), members) : component(component, members));
        }
        return RecordMember.make(kind, values);
    }

    private static void completePlan(Map<String, Object> members) {
        members.putIfAbsent("duration_ns", Long.MAX_VALUE);
        members.putIfAbsent("max_requests", Long.MAX_VALUE);
        members.putIfAbsent("timeout_from", "intended");
        members.putIfAbsent("generators", 1);
        members.putIfAbsent("interval_ns", 1_000_000_000);
        members.putIfAbsent("shard", tree(Shard.WHOLE));
        if (UNTIL_STEADY.equals(members.get("warm_up"))) {
            members.put("warm_up_ns", RunPlan.UNTIL_STEADY);
        }
    }

    /** In files of earlier versions only the description shows who recorded the requests. */
    private static String recordedBy(@Nullable Object description) {
        if ("callers of their own".equals(description)) {
            return "service";
        }
        return "messages of a queue".equals(description) ? "consumer" : "sender";
    }

    private static Object component(RecordMember component, Map<String, Object> members) throws IOException {
        Object member = members.get(component.key());
        if (member == null) {
            return missing(component.type());
        }
        boolean isTree = component.type() == Map.class && component.name().equals("measurement");
        return isTree ? JsonTree.asObject(member) : value(component.component().getGenericType(), member);
    }

    private static Object missing(Class<?> type) throws IOException {
        Map<Class<?>, Object> empty = Map.of(
                Optional.class, Optional.empty(),
                OptionalLong.class, OptionalLong.empty(),
                OptionalDouble.class, OptionalDouble.empty(),
                List.class, List.of(),
                Map.class, Map.of(),
                SortedMap.class, new TreeMap<>(),
                Distribution.class, Distribution.empty(),
                String.class, "",
                boolean.class, false);
        if (empty.containsKey(type)) {
            return empty.get(type);
        }
        if (type == long.class || type == int.class || type == double.class) {
            return value(type, 0L);
        }
        return valueOfOwnType(
                type, type == ServiceTimesByPosition.class || type == Attribution.class ? List.of() : Map.of());
    }

    /**
     * A distribution as one word: a dot, and {@link Distribution#bytes} in base64. Lossless. Schema 1 had no dot, and steps
     * in nanoseconds instead of buckets.
     */
    static final class DistributionText {
        private static final char OF_BUCKETS = '.';

        private static final int MOST_BITS = 63;

        /** More than the possible number of buckets. */
        private static final int MOST_BUCKETS = 1 << 16;

        private final byte[] bytes;
        private int at;

        private DistributionText(byte[] bytes) {
            this.bytes = bytes;
        }

        static String of(Distribution times) {
            return OF_BUCKETS + Base64.getEncoder().encodeToString(times.bytes());
        }

        /** Parses a distribution; throws IllegalArgumentException if the word is invalid. */
        static Distribution read(String word) {
            return !word.isEmpty() && word.charAt(0) == OF_BUCKETS
                    ? Distribution.of(Base64.getDecoder().decode(word.substring(1)))
                    : ofNanos(word);
        }

        private static Distribution ofNanos(String word) {
            DistributionText text = new DistributionText(Base64.getDecoder().decode(word));
            int numbers = 0;
            for (byte one : text.bytes) {
                numbers += one >= 0 ? 1 : 0;
            }
            if (numbers > 2 * MOST_BUCKETS) {
                throw new IllegalArgumentException("a distribution has more than " + MOST_BUCKETS + " durations");
            }
            long[] nanos = new long[numbers / 2];
            long[] counts = new long[numbers / 2];
            long all = 0;
            int size = 0;
            long value = 0;
            while (text.at < text.bytes.length) {
                value = Math.addExact(value, text.number());
                long count = text.number();
                all = Math.addExact(all, count);
                if (size == nanos.length) {
                    throw new IllegalArgumentException("a distribution is cut off");
                }
                nanos[size] = value;
                counts[size++] = count;
            }
            return Distribution.of(nanos, counts);
        }

        private long number() {
            long number = 0;
            for (int shift = 0; shift < MOST_BITS; shift += 7) {
                if (at == bytes.length) {
                    throw new IllegalArgumentException("a distribution is cut off");
                }
                byte next = bytes[at++];
                number |= (next & 0x7FL) << shift;
                if (next >= 0) {
                    return number;
                }
            }
            throw new IllegalArgumentException("a distribution has a number that is too long");
        }
    }
}
