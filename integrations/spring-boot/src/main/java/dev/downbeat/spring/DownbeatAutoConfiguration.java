package dev.downbeat.spring;

import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.Measured;
import dev.downbeat.load.Objective;
import dev.downbeat.load.ServiceRecorder;
import dev.downbeat.micrometer.MeasuredMetrics;
import dev.downbeat.selfcheck.PropertyNames;
import dev.downbeat.time.Daemon;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.lang.reflect.Array;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.catalina.Valve;
import org.apache.catalina.startup.Tomcat;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.web.server.WebFilter;

/** Records the requests of a service with this module on its class path. Found by Spring Boot by name. */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnProperty(name = "downbeat.recorder.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DownbeatAutoConfiguration.Properties.class)
public class DownbeatAutoConfiguration {
    /** A service may have further recorders, such as those of its queues. */
    private static final String RECORDER = "downbeatRecorder";

    /** For Spring. */
    public DownbeatAutoConfiguration(ConfigurableEnvironment environment) {
        java.util.Properties given = new java.util.Properties();
        environment.getPropertySources().stream()
                .filter(EnumerablePropertySource.class::isInstance)
                .flatMap(source -> Arrays.stream(((EnumerablePropertySource<?>) source).getPropertyNames()))
                .forEach(name -> given.setProperty(name, ""));
        PropertyNames.refusal(given, Properties.NAMES, PropertyNames.PREFIX).ifPresent(unknown -> {
            throw new IllegalStateException(unknown);
        });
    }

    /** Where Spring 6.2 or later injects by type, a service's own recorder takes precedence. */
    @Bean(name = RECORDER, destroyMethod = "close")
    @Fallback
    @ConditionalOnMissingBean(name = RECORDER)
    ServiceRecorder downbeatRecorder(Properties properties) {
        return ServiceRecorder.of(properties.name());
    }

    @Bean(destroyMethod = "close")
    Snapshots downbeatTaking(
            @Qualifier(RECORDER) LiveRecorder recorder,
            Properties properties,
            ObjectProvider<MeasuredListener> listeners) {
        return new Snapshots(recorder, properties.objectives(), properties.interval(), listeners::orderedStream);
    }

    /** Boot binds every binder to each registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {"io.micrometer.core.instrument.MeterRegistry", "dev.downbeat.micrometer.MeasuredMetrics"})
    static class Metrics {
        private static final String METRICS = "downbeatMetrics";

        /** A service may have further meters, such as those of its queues. */
        @Bean(METRICS)
        @Fallback
        @ConditionalOnMissingBean(name = METRICS)
        MeasuredMetrics downbeatMetrics(Properties properties) {
            return new MeasuredMetrics(properties.name());
        }

        @Bean
        MeasuredListener downbeatMetricsListener(@Qualifier(METRICS) MeasuredMetrics metrics) {
            return metrics::publish;
        }
    }

    /** Before all other filters. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(Filter.class)
    static class Servlet {
        @Bean
        FilterRegistrationBean<RecorderFilter> downbeatFilter(
                @Qualifier(RECORDER) ServiceRecorder recorder, Properties properties) {
            FilterRegistrationBean<RecorderFilter> filter =
                    new FilterRegistrationBean<>(new RecorderFilter(recorder, properties::isRecorded));
            filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
            filter.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
            filter.setAsyncSupported(true);
            return filter;
        }
    }

    /** Before the filters, where the container supports it. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(Tomcat.class)
    static class AtTheConnector {
        @Bean
        WebServerFactoryCustomizer<ConfigurableWebServerFactory> downbeatValve(
                @Qualifier(RECORDER) ServiceRecorder recorder, Properties properties) {
            return factory -> addValve(factory, new RecorderValve(recorder, properties::isRecorded));
        }

        /**
         * Adds a valve to Tomcat's engine. Spring Boot 4 moved Tomcat's factory to another package, so it is detected
         * by its method.
         */
        private static void addValve(Object factory, Valve valve) {
            for (Method method : factory.getClass().getMethods()) {
                if (method.getName().equals("addEngineValves") && method.getParameterCount() == 1) {
                    Object valves = Array.newInstance(Valve.class, 1);
                    Array.set(valves, 0, valve);
                    try {
                        method.invoke(factory, valves);
                        return;
                    } catch (IllegalAccessException | InvocationTargetException refused) {
                        throw new IllegalStateException("the recorder's valve was refused: " + refused, refused);
                    }
                }
            }
        }
    }

    /** Around the whole filter chain. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(WebFilter.class)
    static class Reactive {
        @Bean
        RecorderWebFilter downbeatWebFilter(@Qualifier(RECORDER) ServiceRecorder recorder, Properties properties) {
            return new RecorderWebFilter(recorder, properties::isRecorded);
        }
    }

    /** If an actuator is present. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class Actuator {
        @Bean
        @ConditionalOnAvailableEndpoint
        DownbeatEndpoint downbeatEndpoint(Snapshots snapshots) {
            return new DownbeatEndpoint(snapshots::newest);
        }
    }

    /**
     * Takes a measurement every minute, or at the configured interval, and at the end, and passes it to the listeners.
     * Thread-safe.
     */
    static final class Snapshots implements ApplicationListener<ContextClosedEvent>, Ordered, AutoCloseable {
        private static final Log LOG = LogFactory.getLog(DownbeatAutoConfiguration.class);

        private final LiveRecorder recorder;
        private final String[] objectives;
        private final Supplier<Stream<MeasuredListener>> listeners;
        private final ScheduledExecutorService timer =
                Executors.newSingleThreadScheduledExecutor(Daemon.factory("downbeat-taking"));
        private volatile @Nullable Measured newest;

        @SuppressWarnings("FutureReturnValueIgnored") // the schedule ends with the timer
        Snapshots(
                LiveRecorder recorder,
                List<String> objectives,
                Duration interval,
                Supplier<Stream<MeasuredListener>> listeners) {
            this.recorder = recorder;
            this.objectives = objectives.toArray(String[]::new);
            this.listeners = listeners;
            recorder.take(this.objectives); // gives each name among the objectives its row before the first request
            long nanos = interval.toNanos();
            // at a fixed rate, empty measurements would follow a pause and replace the one that holds it
            timer.scheduleWithFixedDelay(this::take, nanos, nanos, TimeUnit.NANOSECONDS);
        }

        synchronized void take() {
            orLog(() -> taken().ifPresent(this::report));
        }

        /** Catches errors too, such as a lack of memory, because one would end the schedule. */
        @SuppressWarnings("IllegalCatch") // a listener may throw anything
        private static void orLog(Runnable step) {
            try {
                step.run();
            } catch (Throwable failed) {
                LOG.warn("a measurement could not be reported: " + failed, failed);
            }
        }

        /** Nothing once the recorder is closed. */
        private Optional<Measured> taken() {
            try {
                return Optional.of(recorder.take(objectives));
            } catch (IllegalStateException closed) {
                LOG.debug("nothing was taken", closed);
                return Optional.empty();
            }
        }

        private void report(Measured measured) {
            newest = measured;
            if (measured.planned() > 0) {
                LOG.info(measured.sentence());
            }
            listeners.get().forEach(each -> orLog(() -> each.measured(measured))); // the others need it, too
        }

        Optional<Measured> newest() {
            return Optional.ofNullable(newest);
        }

        /** Before Boot's own listener closes the registries, some of which publish for the last time then. */
        @Override
        public int getOrder() {
            return HIGHEST_PRECEDENCE;
        }

        @Override
        public void onApplicationEvent(ContextClosedEvent closing) {
            take();
        }

        /** Takes what ended while the service shut down. */
        @Override
        public void close() {
            timer.shutdown();
            take();
        }
    }

    /**
     * Configuration of the recorder.
     *
     * @param enabled whether requests are recorded
     * @param name for the report's first line, and the prefix of the meters' names
     * @param interval length of a measurement, at least one second
     * @param objectives such as {@code p99<50ms}; the default is {@code errors<1%}
     * @param leaveOut path prefixes of requests that are not recorded, such as health checks
     */
    @ConfigurationProperties(prefix = "downbeat.recorder", ignoreUnknownFields = false)
    record Properties(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("requests") String name,
            @DefaultValue("1m") Duration interval,
            @DefaultValue List<String> objectives,

            @DefaultValue({"/actuator", "/livez", "/readyz"})
            List<String> leaveOut) {
        static final List<String> NAMES = Stream.of("enabled", "name", "interval", "objectives", "leave-out")
                .map(name -> "recorder." + name)
                .toList();

        Properties {
            if (interval.compareTo(Duration.ofSeconds(1)) < 0) {
                throw new IllegalArgumentException(
                        "downbeat.recorder.interval must be at least 1s, but was " + interval.toMillis() + "ms");
            }
            objectives = List.copyOf(objectives);
            objectives.forEach(Properties::check);
            leaveOut = List.copyOf(leaveOut);
        }

        /** Boot's page of a failed start shows the message of the root cause only. */
        private static void check(String objective) {
            try {
                Objective.parse(objective);
            } catch (IllegalArgumentException refused) {
                throw new IllegalArgumentException("downbeat.recorder.objectives: " + refused.getMessage());
            }
        }

        boolean isRecorded(String path) {
            return leaveOut.stream()
                    .noneMatch(prefix -> path.startsWith(prefix)
                            && (path.length() == prefix.length()
                                    || prefix.endsWith("/")
                                    || path.charAt(prefix.length()) == '/'));
        }
    }
}
