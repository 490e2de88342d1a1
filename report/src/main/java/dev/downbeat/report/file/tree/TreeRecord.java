package dev.downbeat.report.file.tree;

import dev.downbeat.arrival.RecordedTimes;
import dev.downbeat.arrival.Replay;
import dev.downbeat.json.JsonReader;
import dev.downbeat.json.RecordMember;
import dev.downbeat.record.Attribution;
import dev.downbeat.record.ByPosition;
import dev.downbeat.record.Distribution;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Shard;
import dev.downbeat.run.Workload;
import dev.downbeat.verdict.AskedObjective;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Converts trees of {@link RecordTree} back to records. Missing values are zero or empty, so files older than a
 * component can be read; unknown members are ignored.
 */
public final class TreeRecord {
    private TreeRecord() {}

    /**
     * Converts a tree to a record.
     *
     * @throws IOException if the record refuses a value
     */
    public static <T> T read(Class<T> type, Object tree) throws IOException {
        try {
            return type.cast(value(type, tree));
        } catch (RuntimeException refused) {
            throw new IOException("garbled: " + ForeignFile.why(refused), refused);
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
            return tree instanceof String endless
                    ? Double.valueOf(endless)
                    : (Double) as(Number.class, tree).doubleValue();
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
            return OptionalDouble.of(as(Number.class, tree).doubleValue());
        }
        return kind.isEnum() ? constant(kind, as(String.class, tree)) : ours(kind, tree);
    }

    /** Casts, with a readable error message. */
    private static <T> T as(Class<T> kind, Object tree) {
        if (!kind.isInstance(tree)) {
            String expected = kind == Number.class ? "a number" : kind == Boolean.class ? "true or false" : "a text";
            throw new IllegalArgumentException(expected + " was expected");
        }
        return kind.cast(tree);
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
            throw new IllegalArgumentException("'" + text + "' is no instant", none);
        }
    }

    private static Object constant(Class<?> kind, String name) {
        for (Object constant : kind.getEnumConstants()) {
            if (((Enum<?>) constant).name().equalsIgnoreCase(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException("unknown " + RecordTree.typeName(kind) + " '" + name + "'");
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

    private static Object ours(Class<?> kind, Object tree) throws IOException {
        if (kind == Distribution.class) {
            return DistributionText.read(as(String.class, tree));
        }
        if (kind == ByPosition.class) {
            List<Distribution> all = new ArrayList<>();
            for (Object times : list(tree)) {
                all.add(DistributionText.read(as(String.class, times)));
            }
            return new ByPosition(all);
        }
        if (kind == Attribution.class) {
            List<Attribution.Band> bands = new ArrayList<>();
            for (Object band : list(tree)) {
                bands.add(read(Attribution.Band.class, band));
            }
            return Attribution.of(bands);
        }
        if (kind == AskedObjective.class) {
            return objective(tree);
        }
        if (kind == Instant.class) {
            return instant(as(String.class, tree));
        }
        Map<String, Object> members = JsonTree.asObject(tree);
        if (kind == RunPlan.class) {
            return plan(members);
        }
        return record(kind.isSealed() ? permitted(kind, members) : kind, members);
    }

    private static AskedObjective objective(Object tree) throws IOException {
        if (!(tree instanceof Map)) {
            return AskedObjective.parse(as(String.class, tree));
        }
        Object limit = JsonTree.asObject(tree).getOrDefault(RecordTree.DEFAULT, "");
        if (AskedObjective.parse(as(String.class, limit)) instanceof AskedObjective.Errors errors) {
            return errors.unasked();
        }
        throw new IllegalArgumentException("unknown default objective '" + limit + "'");
    }

    private static Class<?> permitted(Class<?> kind, Map<String, Object> members) {
        Object name = members.getOrDefault(RecordTree.TYPE, "");
        List<Class<?>> open = new ArrayList<>(List.of(kind.getPermittedSubclasses()));
        while (!open.isEmpty()) {
            Class<?> permitted = open.remove(0);
            if (permitted.isSealed()) {
                open.addAll(List.of(permitted.getPermittedSubclasses()));
            } else if (RecordTree.typeName(permitted).equals(name)) {
                return permitted;
            }
        }
        throw new IllegalArgumentException("unknown " + RecordTree.typeName(kind) + " '" + name + "'");
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
        List<Object> values = new ArrayList<>();
        for (RecordMember component : RecordMember.of(kind)) {
            values.add(
                    RecordTree.isGroup(component.type())
                            ? record(component.type(), members)
                            : component(component, members));
        }
        return RecordMember.make(kind, values);
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
        return ours(type, type == ByPosition.class || type == Attribution.class ? List.of() : Map.of());
    }

    private static RunPlan plan(Map<String, Object> members) throws IOException {
        RunPlan.Builder plan = RunPlan.builder(read(Workload.class, members.getOrDefault("workload", Map.of())));
        long durationNanos = number(members, "duration_ns", Long.MAX_VALUE);
        if (durationNanos < Long.MAX_VALUE) {
            plan.duration(Duration.ofNanos(durationNanos));
        }
        long maxRequests = number(members, "max_requests", Long.MAX_VALUE);
        if (maxRequests < Long.MAX_VALUE) {
            plan.maxRequests(maxRequests);
        }
        if (members.containsKey("shard")) {
            plan.shard(read(Shard.class, members.get("shard")));
        }
        if (members.get("start") instanceof String start) {
            plan.start(instant(start));
        }
        plan.warmUp(Duration.ofNanos(number(members, "warm_up_ns", 0)));
        if (RecordTree.UNTIL_STEADY.equals(members.get("warm_up"))) {
            plan.warmUpUntilSteady();
        }
        return plan.timeout(Duration.ofNanos(number(members, "timeout_ns", 0)))
                .timeoutFrom(read(RunPlan.TimeoutFrom.class, members.getOrDefault("timeout_from", "intended")))
                .drain(Duration.ofNanos(number(members, "drain_ns", 0)))
                .generators((int) number(members, "generators", 1))
                .interval(Duration.ofNanos(number(members, "interval_ns", 1_000_000_000)))
                .build();
    }

    private static long number(Map<String, Object> members, String name, long otherwise) {
        return members.get(name) instanceof Number number ? number.longValue() : otherwise;
    }
}
