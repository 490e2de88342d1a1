package dev.downbeat.gatling.correction;

import dev.downbeat.gatling.version.PrivateField;
import dev.downbeat.gatling.version.Scalas;
import io.gatling.core.action.builder.ActionBuilder;
import io.gatling.core.structure.ChainBuilder;
import io.gatling.core.structure.ScenarioBuilder;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import scala.Product;
import scala.collection.Iterable;

/**
 * Replaces builders anywhere in a scenario by those of {@link PlannedBuilders}. Loops keep their chain in private
 * fields, and chains keep their builders in a final one, so final fields are written by reflection. No other way
 * reaches a nested pace without changing the simulation's source. Where the JVM forbids it, the pace stays Gatling's
 * and {@link #refusals} reports it.
 */
final class ScenarioRewriter {
    private final Set<Object> visited = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<String> refusals = new ArrayList<>();
    private final LoopConditions conditions = new LoopConditions();

    ScenarioBuilder rewritten(ScenarioBuilder scenario) {
        return new ScenarioBuilder(scenario.name(), rewritten(scenario.actionBuilders()));
    }

    LoopConditions conditions() {
        return conditions;
    }

    /** What could not be replaced, each in a few words; ideally empty. */
    List<String> refusals() {
        return List.copyOf(refusals);
    }

    private scala.collection.immutable.List<ActionBuilder> rewritten(
            scala.collection.immutable.List<ActionBuilder> builders) {
        List<ActionBuilder> result = new ArrayList<>();
        for (ActionBuilder builder : Scalas.java(builders)) {
            ActionBuilder replacement = PlannedBuilders.replacementOf(builder);
            if (replacement == null) {
                rewriteInside(builder);
                replacement = LoopConditions.countsRounds(builder)
                        ? new PlannedBuilders.ExitedBlock(builder)
                        : named(builder);
            }
            result.add(replacement);
        }
        return Scalas.scala(result);
    }

    private static ActionBuilder named(ActionBuilder builder) {
        return PlannedBuilders.Named.mayBeRequest(builder) ? new PlannedBuilders.Named(builder) : builder;
    }

    private void rewriteInside(@Nullable Object part) {
        if (part == null || !visited.add(part)) {
            return;
        }
        if (part instanceof PlannedBuilders.ExitedBlock loop) { // of an earlier run that shares the chain
            rewriteInside(loop.original());
        } else if (part instanceof ChainBuilder chain) {
            write(chain, rewritten(chain.actionBuilders()));
        } else if (part instanceof Iterable<?> parts) {
            Scalas.java(parts).forEach(this::rewriteInside);
        } else if (part instanceof ActionBuilder) {
            conditions.register(part);
            fields(part);
        } else if (part instanceof Product product) { // options and tuples
            for (int i = 0; i < product.productArity(); i++) {
                rewriteInside(product.productElement(i));
            }
        }
    }

    private void fields(Object builder) {
        for (Class<?> type = builder.getClass(); isGatlings(type); type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && mayHoldChains(field.getType())) {
                    rewriteInside(PrivateField.read(builder, field));
                }
            }
        }
    }

    private static boolean isGatlings(Class<?> type) {
        return type != null && type.getName().startsWith("io.gatling.core.");
    }

    private static boolean mayHoldChains(Class<?> type) {
        return type == ChainBuilder.class
                || type == scala.Option.class
                || scala.Tuple2.class.isAssignableFrom(type)
                || Iterable.class.isAssignableFrom(type);
    }

    private void write(ChainBuilder chain, scala.collection.immutable.List<ActionBuilder> builders) {
        if (builders.equals(chain.actionBuilders())) {
            return;
        }
        try {
            Field field = ChainBuilder.class.getDeclaredField("actionBuilders");
            field.setAccessible(true);
            field.set(chain, builders);
        } catch (ReflectiveOperationException | RuntimeException refused) {
            refusals.add(consequence(builders, chain.actionBuilders())
                    + ", since this JVM does not allow replacing it: " + refused.getMessage());
        }
    }

    /** The consequence of a chain keeping its builders, by the gravest one. */
    private static String consequence(
            scala.collection.immutable.List<ActionBuilder> wanted,
            scala.collection.immutable.List<ActionBuilder> kept) {
        List<ActionBuilder> replaced = Scalas.java(wanted).stream()
                .filter(each -> !kept.contains(each))
                .toList();
        if (replaced.stream().allMatch(PlannedBuilders.Named.class::isInstance)) {
            return "a request inside a block whose name has no value is not counted";
        }
        return replaced.stream()
                        .allMatch(each ->
                                each instanceof PlannedBuilders.ExitedBlock || each instanceof PlannedBuilders.Named)
                ? "a pace in a loop inside a block, if any, continues its schedule after the loop"
                : "a pace or pause inside a block remains Gatling's own";
    }
}
