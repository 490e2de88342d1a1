package dev.downbeat.testing;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ClassTemplateInvocationContext;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.Extension;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;
import org.junit.platform.commons.support.ReflectionSupport;
import org.junit.platform.commons.util.ExceptionUtils;
import org.opentest4j.TestAbortedException;

/**
 * One attempt at a class of tests. It records the machine's conditions during each test and the {@link MeasuredFirst}
 * methods. A failure under bad conditions aborts the test instead; after the last attempt it is listed as NOT SHOWN
 * if conditions were bad every time and the test may be excused. Used by one thread.
 */
final class Attempt
        implements ClassTemplateInvocationContext,
                BeforeAllCallback,
                BeforeEachCallback,
                AfterEachCallback,
                ExecutionCondition,
                TestWatcher,
                TestExecutionExceptionHandler,
                LifecycleMethodExecutionExceptionHandler {
    private static final int LONGEST_FAILURE = 160;

    private final int number;
    private final Set<String> passed;
    private final Set<String> doubtful;
    private final Set<String> measurable;
    private @Nullable Conditions classConditions;
    private @Nullable Conditions testConditions;
    private @Nullable Throwable broken;
    private Conditions.@Nullable Reading measurementReading;

    /**
     * An attempt.
     *
     * @param number from 1 on
     * @param passed collects tests that need no further attempt
     * @param doubtful collects tests that need another attempt
     * @param measurable collects tests that failed although the machine was not too busy
     */
    Attempt(int number, Set<String> passed, Set<String> doubtful, Set<String> measurable) {
        this.number = number;
        this.passed = passed;
        this.doubtful = doubtful;
        this.measurable = measurable;
    }

    @Override
    public String getDisplayName(int invocationIndex) {
        return "attempt " + number;
    }

    @Override
    public List<Extension> getAdditionalExtensions() {
        return List.of(this);
    }

    /** For a nested class, whose own {@code @BeforeAll} runs in each attempt. */
    @Override
    public void beforeAll(ExtensionContext context) {
        classConditions = Conditions.watch();
        measurementReading = null;
    }

    /** Measures before the first test; if that fails, skips the tests. */
    @Override
    public void beforeEach(ExtensionContext context) {
        if (measurementReading == null) {
            measure(context);
        }
        if (broken != null) {
            throw ExceptionUtils.throwAsUncheckedException(judged(context, broken));
        }
        testConditions = Conditions.watch();
    }

    private void measure(ExtensionContext context) {
        List<Method> methods = AnnotationSupport.findAnnotatedMethods(
                context.getRequiredTestClass(), MeasuredFirst.class, HierarchyTraversalMode.TOP_DOWN);
        if (methods.isEmpty() && classConditions == null) {
            measurementReading = reading(null); // without a prior measurement, each test has its own conditions
            return;
        }
        try (Conditions conditions = classConditions != null ? classConditions : Conditions.watch()) {
            try {
                for (Method method : methods) {
                    ReflectionSupport.invokeMethod(method, context.getRequiredTestInstance());
                }
            } catch (Exception | AssertionError failure) {
                broken = failure;
            }
            measurementReading = conditions.reading();
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (testConditions != null) {
            testConditions.close();
            testConditions = null;
        }
    }

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        return passed.contains(name(context))
                ? ConditionEvaluationResult.disabled("passed in an earlier attempt")
                : ConditionEvaluationResult.enabled("not passed yet");
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        passed.add(name(context));
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw judged(context, failure);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw judged(context, failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw judged(context, failure);
    }

    /** The exception to throw instead: an aborted test if the machine may be the cause. */
    private Throwable judged(ExtensionContext context, Throwable failure) {
        Conditions.Reading worst = worst();
        String name = name(context);
        if (!worst.isBusy()) {
            measurable.add(name);
        }
        boolean isLast = number == TimingAttempts.MAX_ATTEMPTS;
        if (failure instanceof TestAbortedException
                || failure instanceof VirtualMachineError
                || worst.isGood()
                || (isLast && (measurable.contains(name) || isNeverExcused(context)))) {
            return failure;
        }
        doubtful.add(name);
        String text = name + ": " + firstLine(failure);
        if (isLast) {
            NotShown.add(worst.toString(), text);
        } else {
            System.out.println("Measured again (" + worst + "): " + text);
        }
        return new TestAbortedException("the machine was busy: " + worst, failure);
    }

    /** What fails before all tests of a class is excused only if each of them is. */
    private static boolean isNeverExcused(ExtensionContext context) {
        return context.getTestMethod()
                .map(method -> AnnotationSupport.isAnnotated(method, NeverExcused.class))
                .orElseGet(() -> !AnnotationSupport.findAnnotatedMethods(
                                context.getRequiredTestClass(), NeverExcused.class, HierarchyTraversalMode.TOP_DOWN)
                        .isEmpty());
    }

    private Conditions.Reading worst() {
        Conditions.Reading before = measurementReading != null ? measurementReading : reading(classConditions);
        return before.isGood() ? reading(testConditions) : before;
    }

    private static Conditions.Reading reading(@Nullable Conditions conditions) {
        return conditions == null ? new Conditions.Reading(0, 0, 0, 0) : conditions.reading();
    }

    private static String firstLine(Throwable failure) {
        String line = String.valueOf(failure.getMessage())
                .lines()
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .limit(4)
                .reduce((some, more) -> some + " " + more)
                .orElse(failure.getClass().getSimpleName());
        return line.length() > LONGEST_FAILURE ? line.substring(0, LONGEST_FAILURE) + "..." : line;
    }

    /** The test's name, the same in each attempt. */
    private static String name(ExtensionContext context) {
        return context.getRequiredTestClass().getSimpleName()
                + context.getTestMethod()
                        .map(method -> " " + method.getName().replace('_', ' ') + argument(context))
                        .orElse("");
    }

    private static String argument(ExtensionContext context) {
        return context.getUniqueId().matches(".*\\[test-template-invocation:#\\d+]")
                ? " [" + context.getDisplayName() + "]"
                : "";
    }
}
