package dev.downbeat.junit;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.MethodSelector;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.engine.support.discovery.EngineDiscoveryRequestResolver;
import org.junit.platform.engine.support.discovery.SelectorResolver;

/**
 * A failing test for each annotation of ours that JUnit Jupiter would pass over in silence: a method that it never runs cannot
 * complain itself. Finds nothing, and costs nothing, where there is no misuse. For JUnit, which finds it as a service.
 */
public final class MisuseEngine implements TestEngine {
    private static final EngineDiscoveryRequestResolver<EngineDescriptor> RESOLVER =
            EngineDiscoveryRequestResolver.<EngineDescriptor>builder()
                    .addClassContainerSelectorResolver(Misuse::isIn)
                    .addSelectorResolver(new Resolver())
                    .build();

    /** For JUnit. */
    public MisuseEngine() {}

    @Override
    public String getId() {
        return "downbeat";
    }

    @Override
    public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId uniqueId) {
        EngineDescriptor engine = new EngineDescriptor(uniqueId, "Downbeat");
        RESOLVER.resolve(request, engine);
        return engine;
    }

    @Override
    public void execute(ExecutionRequest request) {
        TestDescriptor engine = request.getRootTestDescriptor();
        EngineExecutionListener listener = request.getEngineExecutionListener();
        listener.executionStarted(engine);
        for (TestDescriptor each : engine.getChildren()) {
            listener.executionStarted(each);
            listener.executionFinished(each, TestExecutionResult.failed(((Refused) each).thrown()));
        }
        listener.executionFinished(engine, TestExecutionResult.successful());
    }

    /** Looks at each class that is asked for, and at those within it, as far as anybody runs them. */
    private static final class Resolver implements SelectorResolver {
        @Override
        public Resolution resolve(ClassSelector selector, Context context) {
            Set<Match> found = new LinkedHashSet<>();
            look(selector.getJavaClass(), context, found);
            return found.isEmpty() ? Resolution.unresolved() : Resolution.matches(found);
        }

        private static void look(Class<?> type, Context context, Set<Match> found) {
            for (String sentence : Misuse.of(type)) {
                add(new Wrong(type, ClassSource.from(type), sentence, tags(type)), context, found);
            }
            for (Method method : type.getDeclaredMethods()) {
                look(type, method, context, found);
            }
            Arrays.stream(type.getDeclaredClasses())
                    .filter(inner -> AnnotationSupport.isAnnotated(inner, org.junit.jupiter.api.Nested.class))
                    .forEach(inner -> look(inner, context, found));
        }

        private static void look(Class<?> type, Method method, Context context, Set<Match> found) {
            Set<TestTag> tags = tags(type);
            tags.addAll(tags(method));
            for (String sentence : Misuse.of(type, method)) {
                add(new Wrong(type, MethodSource.from(type, method), sentence, tags), context, found);
            }
        }

        @Override
        public Resolution resolve(MethodSelector selector, Context context) {
            Set<Match> found = new LinkedHashSet<>();
            look(selector.getJavaClass(), selector.getJavaMethod(), context, found);
            return found.isEmpty() ? Resolution.unresolved() : Resolution.matches(found);
        }

        private static void add(Wrong wrong, Context context, Set<Match> found) {
            context.addToParent(parent -> Optional.of(wrong.under(parent)))
                    .map(Match::exact)
                    .ifPresent(found::add);
        }

        private static Set<TestTag> tags(java.lang.reflect.AnnotatedElement element) {
            return AnnotationSupport.findRepeatableAnnotations(element, Tag.class).stream()
                    .map(tag -> TestTag.create(tag.value().strip()))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }

        private record Wrong(Class<?> type, TestSource source, String sentence, Set<TestTag> tags) {
            Refused under(TestDescriptor parent) {
                return new Refused(parent.getUniqueId().append("misuse", sentence), sentence, source, tags);
            }
        }
    }

    /** A test that fails with its sentence. */
    private static final class Refused extends AbstractTestDescriptor {
        private final String sentence;
        private final Set<TestTag> tags;

        Refused(UniqueId id, String sentence, TestSource source, Set<TestTag> tags) {
            super(id, sentence, source);
            this.sentence = sentence;
            this.tags = Set.copyOf(tags);
        }

        @Override
        public Type getType() {
            return Type.TEST;
        }

        @Override
        public Set<TestTag> getTags() {
            return new LinkedHashSet<>(tags);
        }

        /** Without a stack: nobody's code has thrown it. */
        Throwable thrown() {
            ExtensionConfigurationException refused = new ExtensionConfigurationException(sentence);
            refused.setStackTrace(new StackTraceElement[0]);
            return refused;
        }
    }
}
