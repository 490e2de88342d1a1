package dev.downbeat.report.file.tree;

import dev.downbeat.arrival.IntendedTimes;
import dev.downbeat.arrival.RecordedTimes;
import dev.downbeat.arrival.Replay;
import dev.downbeat.json.RecordMember;
import dev.downbeat.record.Anatomy;
import dev.downbeat.record.Attribution;
import dev.downbeat.record.ByPosition;
import dev.downbeat.record.Distribution;
import dev.downbeat.record.ResponseTimes;
import dev.downbeat.record.Tallies;
import dev.downbeat.record.Waits;
import dev.downbeat.run.LaneCounts;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.RunSpan;
import dev.downbeat.verdict.AskedObjective;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Converts records to trees for {@link JsonTree}, without loss; {@link TreeRecord} is the inverse. Members have their
 * component's name in snake_case, with {@code ns} for {@code Nanos}. Records of sealed types have a {@code type}. Empty
 * values are omitted.
 *
 * <p>The names of these records are therefore a promise; a test keeps a file of each schema.
 */
public final class RecordTree {
    static final String UNTIL_STEADY = "until_steady";

    static final String TYPE = "type";
    static final String DEFAULT = "default";

    /** Groups of components whose members appear in the enclosing object. */
    private static final Set<Class<?>> GROUPS =
            Set.of(RunSpan.class, LaneCounts.class, ResponseTimes.class, Tallies.class, Waits.class, Anatomy.class);

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

    static boolean isGroup(Class<?> kind) {
        return GROUPS.contains(kind);
    }

    static String typeName(Class<?> type) {
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
        if (value instanceof ByPosition positions) {
            return tree(positions.all());
        }
        if (value instanceof Attribution attribution) {
            return tree(attribution.bands());
        }
        if (value instanceof AskedObjective slo) {
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
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("workload", tree(plan.workload()));
        members.put("duration_ns", plan.durationNanos());
        members.put("max_requests", plan.maxRequests());
        members.put("timeout_ns", plan.timeoutNanos());
        members.put("timeout_from", tree(plan.timeoutFrom()));
        members.put("drain_ns", plan.drainNanos());
        members.put("generators", plan.generators());
        members.put("interval_ns", plan.intervalNanos());
        members.put("shard", tree(plan.shard()));
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
}
