package dev.downbeat.junit;

import dev.downbeat.load.Beat;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Calls the method of a {@link LoadTest} as often as its plan says, instead of once. Stateless, thread-safe. */
final class LoadTestExtension implements InvocationInterceptor, ParameterResolver {
    private static final Beat PLACEHOLDER = new Beat(0, 0);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Beat.class && parameter.getDeclaringExecutable() instanceof Method;
    }

    /** Each call gets its own in this place. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return PLACEHOLDER;
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> call, ExtensionContext context)
            throws Throwable {
        invocation.skip();
        Method method = call.getExecutable();
        LoadTest test = AnnotationSupport.findAnnotation(method, LoadTest.class)
                .orElseThrow(() -> new IllegalStateException(method + " is no load test"));
        new Trial(test, objectives(method, context), new RepeatedCall(call), context).decide();
    }

    private static String[] objectives(Method method, ExtensionContext context) {
        List<Slo> own = AnnotationSupport.findRepeatableAnnotations(method, Slo.class);
        List<Slo> ofClass = AnnotationSupport.findRepeatableAnnotations(context.getRequiredTestClass(), Slo.class);
        return java.util.stream.Stream.concat(own.stream(), ofClass.stream())
                .map(Slo::value)
                .distinct()
                .toArray(String[]::new);
    }
}
