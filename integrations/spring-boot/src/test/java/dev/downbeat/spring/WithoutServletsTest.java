package dev.downbeat.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A service of WebFlux has no servlet API, no Tomcat and no Spring MVC. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WithoutServletsTest {
    private static final Pattern SERVLETS = Pattern.compile("(tomcat-|jakarta\\.servlet|spring-webmvc).*");

    @Test
    void a_reactive_service_needs_no_servlet_on_its_class_path() throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            assertThatThrownBy(() -> loader.loadClass("jakarta.servlet.Filter"))
                    .isInstanceOf(ClassNotFoundException.class);
            Thread.currentThread().setContextClassLoader(loader);
            Class<?> shop = loader.loadClass(ReactiveShop.class.getName());
            assertThat(shop).isNotSameAs(ReactiveShop.class);
            assertThat(shop.getMethod("measured").invoke(null))
                    .isEqualTo("{/**=1, /broken=1, /lost=1, /order/{id}=3, /refuse=1, /sold=1, /unknown=1}, 6 answered,"
                            + " failed {IllegalArgumentException=1, IllegalStateException=1, status 503=1},"
                            + " in flight 0");
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static URL[] classPath() throws Exception {
        String own = System.getProperty("java.class.path", "");
        String all = System.getProperty("surefire.test.class.path", own);
        List<URL> kept = new ArrayList<>();
        for (String entry : all.split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (!SERVLETS.matcher(String.valueOf(path.getFileName())).matches()) {
                kept.add(path.toUri().toURL());
            }
        }
        return kept.toArray(URL[]::new);
    }
}
