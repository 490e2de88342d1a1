package dev.downbeat.junit;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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
 * Reports a failing test for each annotation of Downbeat's that JUnit Jupiter would silently ignore: a method that
 * never runs cannot report its own error. Without misuse it finds nothing and costs nothing. Loaded by JUnit as a
 * service.
 */
public final class MisuseEngine implements TestEngine {
    private static final EngineDiscoveryRequestResolver<EngineDescriptor> RESOLVER =
            EngineDiscoveryRequestResolver.<EngineDescriptor>builder()
                    .addClassContainerSelectorResolver(
                            type -> !Misuse.inWholeClass(type).isEmpty())
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
        engine.getChildren().forEach(type -> run(type, listener));
        listener.executionFinished(engine, TestExecutionResult.successful());
    }

    private static void run(TestDescriptor type, EngineExecutionListener listener) {
        listener.executionStarted(type);
        for (TestDescriptor each : type.getChildren()) {
            listener.executionStarted(each);
            listener.executionFinished(each, TestExecutionResult.failed(((RefusedTest) each).thrown()));
        }
        listener.executionFinished(type, TestExecutionResult.successful());
    }

    /** Checks each selected class and its nested classes, unless disabled. */
    private static final class Resolver implements SelectorResolver {
        @Override
        public Resolution resolve(ClassSelector selector, Context context) {
            Set<Match> found = new LinkedHashSet<>();
            collect(selector.getJavaClass(), context, found);
            return found.isEmpty() ? Resolution.unresolved() : Resolution.matches(found);
        }

        private static void collect(Class<?> type, Context context, Set<Match> found) {
            add(type, Misuse.inWholeClass(type), context, found);
            Misuse.nestedIn(type).forEach(inner -> collect(inner, context, found));
        }

        @Override
        public Resolution resolve(MethodSelector selector, Context context) {
            Set<Match> found = new LinkedHashSet<>();
            Class<?> type = selector.getJavaClass();
            Method method = selector.getJavaMethod();
            add(type, Misuse.notDisabled(type, method), context, found);
            return found.isEmpty() ? Resolution.unresolved() : Resolution.matches(found);
        }

        private static void add(Class<?> type, List<Misuse> misuses, Context context, Set<Match> found) {
            if (!misuses.isEmpty()) {
                context.addToParent(engine -> Optional.of(MisusedClass.in(engine, type, misuses)))
                        .map(Match::exact)
                        .ifPresent(found::add);
            }
        }
    }

    /** A class with misuses, because Surefire drops tests outside a class. */
    private static final class MisusedClass extends AbstractTestDescriptor {
        private MisusedClass(UniqueId id, Class<?> type) {
            super(id, type.getSimpleName(), ClassSource.from(type));
        }

        /** The descriptor of the class, found or created, with these misuses added. */
        static TestDescriptor in(TestDescriptor engine, Class<?> type, List<Misuse> misuses) {
            UniqueId id = engine.getUniqueId().append("class", type.getName());
            TestDescriptor container = engine.findByUniqueId(id)
                    .<TestDescriptor>map(found -> found)
                    .orElseGet(() -> new MisusedClass(id, type));
            for (Misuse misuse : misuses) {
                container.addChild(new RefusedTest(id.append("misuse", misuse.sentence()), type, misuse));
            }
            return container;
        }

        @Override
        public Type getType() {
            return Type.CONTAINER;
        }
    }

    /** A test that fails with its sentence. */
    private static final class RefusedTest extends AbstractTestDescriptor {
        private final Set<TestTag> tags = new LinkedHashSet<>();

        RefusedTest(UniqueId id, Class<?> type, Misuse misuse) {
            super(
                    id,
                    misuse.sentence(),
                    misuse.method()
                            .<TestSource>map(method -> MethodSource.from(type, method))
                            .orElseGet(() -> ClassSource.from(type)));
            misuse.method().ifPresent(this::addTags);
            TestClasses.declaring(type).all().forEach(this::addTags);
        }

        /** JUnit warns about an invalid tag and ignores it. */
        private void addTags(AnnotatedElement element) {
            AnnotationSupport.findRepeatableAnnotations(element, Tag.class).stream()
                    .map(tag -> tag.value().strip())
                    .filter(TestTag::isValid)
                    .map(TestTag::create)
                    .forEach(tags::add);
        }

        @Override
        public Type getType() {
            return Type.TEST;
        }

        @Override
        public Set<TestTag> getTags() {
            return new LinkedHashSet<>(tags);
        }

        /** Without a stack trace, since no user code threw it. */
        Throwable thrown() {
            ExtensionConfigurationException refused = new ExtensionConfigurationException(getDisplayName());
            refused.setStackTrace(new StackTraceElement[0]);
            return refused;
        }
    }
}
