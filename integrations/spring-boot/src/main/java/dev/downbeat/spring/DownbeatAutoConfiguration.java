package dev.downbeat.spring;

import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.Measured;
import dev.downbeat.micrometer.MeasuredMetrics;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.EnumSet;
import java.util.function.Consumer;
import org.apache.catalina.startup.Tomcat;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.ConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.server.WebFilter;

/** Records the requests of a service with this module on its class path. Found by Spring Boot by name. */
@AutoConfiguration
@ConditionalOnWebApplication
@ConditionalOnProperty(name = "downbeat.recorder.enabled", matchIfMissing = true)
@EnableConfigurationProperties(DownbeatProperties.class)
public class DownbeatAutoConfiguration {
    /** For Spring. */
    public DownbeatAutoConfiguration() {}

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean
    LiveRecorder downbeatRecorder(DownbeatProperties properties) {
        return LiveRecorder.ofService(properties.name());
    }

    @Bean(destroyMethod = "close")
    PeriodicSnapshots downbeatTaking(
            LiveRecorder recorder, DownbeatProperties properties, ObjectProvider<MeasuredListener> listeners) {
        return new PeriodicSnapshots(
                recorder, properties, measured -> listeners.orderedStream().forEach(each -> each.accept(measured)));
    }

    /** Receives each measurement. */
    interface MeasuredListener extends Consumer<Measured> {}

    /** Boot binds every binder to each registry. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(
            name = {"io.micrometer.core.instrument.MeterRegistry", "dev.downbeat.micrometer.MeasuredMetrics"})
    static class Metrics {
        @Bean
        @ConditionalOnMissingBean
        MeasuredMetrics downbeatMetrics(DownbeatProperties properties) {
            return new MeasuredMetrics(properties.name());
        }

        @Bean
        MeasuredListener downbeatMetricsListener(MeasuredMetrics metrics) {
            return metrics::show;
        }
    }

    /** Before all other filters. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass(Filter.class)
    static class Servlet {
        @Bean
        FilterRegistrationBean<RecorderFilter> downbeatFilter(LiveRecorder recorder, DownbeatProperties properties) {
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
                LiveRecorder recorder, DownbeatProperties properties) {
            return factory -> EngineValves.add(factory, new RecorderValve(recorder, properties::isRecorded));
        }
    }

    /** Around the whole filter chain. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass(WebFilter.class)
    static class Reactive {
        @Bean
        RecorderWebFilter downbeatWebFilter(LiveRecorder recorder, DownbeatProperties properties) {
            return new RecorderWebFilter(recorder, properties::isRecorded);
        }
    }

    /** If an actuator is present. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class Actuator {
        @Bean
        @ConditionalOnAvailableEndpoint
        DownbeatEndpoint downbeatEndpoint(PeriodicSnapshots taking) {
            return new DownbeatEndpoint(taking);
        }
    }
}
