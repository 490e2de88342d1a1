package dev.downbeat.junit;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The class of a test and those around it, innermost first. JUnit runs an inherited {@code @Nested} class within each
 * class that inherits it, which need not be the one that declares it. Immutable.
 */
record TestClasses(List<Class<?>> all) {
    TestClasses {
        all = List.copyOf(all);
    }

    /** As JUnit runs them, and the classes that declare the outermost one. */
    static TestClasses of(ExtensionContext context) {
        Set<Class<?>> all = new LinkedHashSet<>();
        Class<?> outermost = context.getRequiredTestClass();
        for (Optional<ExtensionContext> each = Optional.of(context);
                each.isPresent();
                each = each.get().getParent()) {
            Optional<Class<?>> type = each.get().getTestClass();
            outermost = type.isPresent() ? type.get() : outermost;
            all.add(outermost);
        }
        all.addAll(declaring(outermost).all());
        return new TestClasses(new ArrayList<>(all));
    }

    /** As they are declared. */
    static TestClasses declaring(Class<?> type) {
        List<Class<?>> all = new ArrayList<>();
        for (Class<?> each = type; each != null; each = each.getEnclosingClass()) {
            all.add(each);
        }
        return new TestClasses(all);
    }

    Class<?> innermost() {
        return all.get(0);
    }

    /** The classes that inherit a nested class around the test, innermost first; usually none. */
    List<Class<?>> heirs() {
        List<Class<?>> heirs = new ArrayList<>();
        for (int i = 1; i < all.size(); i++) {
            if (all.get(i) != all.get(i - 1).getEnclosingClass()) {
                heirs.add(all.get(i));
            }
        }
        return heirs;
    }
}
