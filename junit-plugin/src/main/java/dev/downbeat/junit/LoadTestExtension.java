package dev.downbeat.junit;

import dev.downbeat.load.Beat;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestTemplate;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContext;
import org.junit.jupiter.api.extension.TestTemplateInvocationContextProvider;
import org.junit.platform.commons.support.AnnotationSupport;

/** Calls the method of a {@link LoadTest} according to its plan instead of once. Stateless, thread-safe. */
final class LoadTestExtension
        implements InvocationInterceptor, ParameterResolver, TestTemplateInvocationContextProvider {
    private static final String PARALLEL = "junit.jupiter.execution.parallel.enabled";
    private static final Beat PLACEHOLDER = Beat.of(0, 0);
    private static final URI NOWHERE = URI.create("http://127.0.0.1:1/");

    /** Replaced by tests that other processes must not excuse. */
    static volatile Machine machine = Machine.real();

    /** Other providers of invocations, such as {@code @ParameterizedTest}, determine their number. */
    @Override
    public boolean supportsTestTemplate(ExtensionContext context) {
        return !isRepeatedByOthers(context.getRequiredTestMethod());
    }

    /** Such as {@code @ParameterizedTest} or {@code @RepeatedTest}. */
    private static boolean isRepeatedByOthers(Method method) {
        return isRepeatedByOthers(method, new HashSet<>(Set.of(LoadTest.class)));
    }

    /** An annotation may be made of {@code @LoadTest} and of another. */
    private static boolean isRepeatedByOthers(AnnotatedElement element, Set<Class<?>> seen) {
        return Arrays.stream(element.getAnnotations())
                .map(Annotation::annotationType)
                .filter(seen::add)
                .anyMatch(type -> type.equals(TestTemplate.class) || isRepeatedByOthers(type, seen));
    }

    @Override
    public Stream<TestTemplateInvocationContext> provideTestTemplateInvocationContexts(ExtensionContext context) {
        String name = context.getDisplayName();
        return Stream.of(new TestTemplateInvocationContext() {
            @Override
            public String getDisplayName(int invocation) {
                return name;
            }
        });
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        boolean isService = type == URI.class
                && Misuse.against(TestClasses.of(context), context.getRequiredTestMethod())
                        .isPresent();
        return (type == Beat.class || type == Answer.class || isService)
                && parameter.getDeclaringExecutable() instanceof Method;
    }

    /** Each call receives its own value at this position. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == Beat.class ? PLACEHOLDER : type == URI.class ? NOWHERE : new Answer();
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> call, ExtensionContext context)
            throws Throwable {
        invocation.skip();
        Method method = call.getExecutable();
        LoadTest test = AnnotationSupport.findAnnotation(method, LoadTest.class)
                .orElseThrow(() -> new IllegalStateException(method + " is not a load test"));
        if (context.getConfigurationParameter(PARALLEL).map(Boolean::valueOf).orElse(false)) {
            context.publishReportEntry("downbeat.alone", "tests run in parallel, but none during a load test");
        }
        TestClasses classes = TestClasses.of(context);
        List<String> misuses = Misuse.of(classes, method);
        if (!misuses.isEmpty()) {
            throw new ExtensionConfigurationException(misuses.get(0));
        }
        TestName name = TestName.of(context, classes, isRepeatedByOthers(method));
        LoadTestSettings settings = new LoadTestSettings(
                test, BuildOverrides.of(classes.innermost()), name.shown(), objectives(method, classes));
        WatchSettings watches = WatchSettings.of(test.watchSelf(), classes, method, name.shown());
        LoadTestRun run = new LoadTestRun(
                settings, name, new RepeatedCall(call), Misuse.against(classes, method), watches, context, machine);
        new ShutdownGuard(Thread.currentThread()).guard(run::decide);
    }

    /** The objectives of the method, its class and the enclosing classes. */
    private static String[] objectives(Method method, TestClasses classes) {
        List<Slo> all = new ArrayList<>(AnnotationSupport.findRepeatableAnnotations(method, Slo.class));
        classes.all().forEach(type -> all.addAll(AnnotationSupport.findRepeatableAnnotations(type, Slo.class)));
        return all.stream().map(Slo::value).distinct().toArray(String[]::new);
    }
}
