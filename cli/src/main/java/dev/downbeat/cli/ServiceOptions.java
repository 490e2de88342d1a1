package dev.downbeat.cli;

import dev.downbeat.simulate.ServiceLaw;
import dev.downbeat.simulate.SimulatedService;
import dev.downbeat.simulate.Simulation;
import dev.downbeat.simulate.Stall;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** A service on paper. */
final class ServiceOptions {
    @Option(
            names = "--service",
            paramLabel = "LAW",
            converter = LawConverter.class,
            description = {
                "How long a server works: 2ms, exp:2ms, lognormal:2ms,0.5 (median, sigma), pareto:1ms,1.5 (least,"
                        + " exponent), bimodal:1ms,50ms,1%% or hyperexp:100us,10ms,0.1%% (two exponential laws). Default"
                        + " exp:1ms."
            })
    ServiceLaw law = ServiceLaw.parse("exp:1ms");

    @Option(
            names = "--servers",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "Servers that share one queue, first come first served. Default 1.")
    long servers = 1;

    @Option(
            names = "--queue-limit",
            paramLabel = "N",
            converter = CountConverter.class,
            description = "At most so many wait; whoever comes then is refused. Default: no limit.")
    @Nullable
    Long queueLimit;

    @Option(
            names = "--stall",
            paramLabel = "STALL",
            converter = StallConverter.class,
            description = "All servers stand still: 1s@5s (length, start) or 'every 10s for 200ms'; repeatable.")
    List<Stall> stalls = new ArrayList<>();

    @Option(
            names = "--drop-abandoned",
            description = "The service drops what nobody waits for any more when its turn comes, instead of working on"
                    + " it in vain.")
    boolean dropAbandoned;

    @Option(
            names = {"-c", "--connections"},
            paramLabel = "N",
            converter = CountConverter.class,
            description = "At most so many requests are out; the next one waits, and the wait counts. Default 100k.")
    long connections = Simulation.CONNECTIONS;

    SimulatedService toService() {
        return new SimulatedService(
                law,
                whole("--servers", servers),
                queueLimit == null ? Integer.MAX_VALUE : whole("--queue-limit", queueLimit),
                stalls,
                dropAbandoned);
    }

    int toConnections() {
        if (connections > Simulation.MOST_CONNECTIONS) {
            throw new TypeConversionException(
                    "-c must be from 1 to " + Simulation.MOST_CONNECTIONS + ", but was " + connections);
        }
        return (int) connections;
    }

    private static int whole(String option, long count) {
        if (count > Integer.MAX_VALUE) {
            throw new TypeConversionException(option + " must be at most " + Integer.MAX_VALUE + ", but was " + count);
        }
        return (int) count;
    }

    /** Reads a law. */
    static final class LawConverter implements ITypeConverter<ServiceLaw> {
        @Override
        public ServiceLaw convert(String text) {
            try {
                return ServiceLaw.parse(text);
            } catch (IllegalArgumentException refused) {
                throw new TypeConversionException(Messages.of(refused));
            }
        }
    }

    /** Reads a stall. */
    static final class StallConverter implements ITypeConverter<Stall> {
        @Override
        public Stall convert(String text) {
            try {
                return Stall.parse(text);
            } catch (IllegalArgumentException refused) {
                throw new TypeConversionException(Messages.of(refused));
            }
        }
    }
}
