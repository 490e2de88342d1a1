package dev.downbeat.cli;

import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpOptions;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.Pacing;
import dev.downbeat.time.NanoClock;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/**
 * A target that is asked one request at a time, on a connection of its own for each run, opened by the run's first request.
 *
 * @param url what is aimed at
 * @param reconnect how connections are made
 * @param asking how requests are made
 */
record SerialTarget(String url, ReconnectOptions reconnect, AskingOptions asking) {
    /**
     * The target.
     *
     * @param shares how many runs there are, each with a connection
     * @param demo the queue on this machine, if that is meant and has been started
     */
    Target of(int shares, @Nullable QueueDemo demo) {
        try {
            return QueueOptions.isQueue(url) ? ofQueue(shares, demo) : ofUrl(shares);
        } catch (IllegalArgumentException refused) {
            throw new TypeConversionException(String.valueOf(refused.getMessage()));
        } catch (IOException unreadable) {
            throw new TypeConversionException("cannot read a file: " + Errors.ofFile(unreadable));
        }
    }

    private Target ofQueue(int shares, @Nullable QueueDemo demo) throws IOException {
        if (asking.queue.operation == QueueOptions.Operation.DELIVERY) {
            throw new TypeConversionException(
                    "--operation delivery is no request on one connection: give send, send-batch, receive or delete");
        }
        QueueTargets.Words words = asking.words(reconnect.of(shares)).withInFlight(shares);
        return demo == null ? QueueTargets.of(QueueOptions.queue(url), words, 0) : QueueTargets.of(demo, words, 0);
    }

    private Target ofUrl(int shares) throws IOException {
        // many lanes share the processors: none may spin
        HttpOptions options = options(shares).pacing(Pacing.BLOCK).cold(true).build();
        return new HttpTarget(asking.request.toRequest(url), options);
    }

    private HttpOptions.Builder options(int connections) throws IOException {
        HttpOptions.Builder options = reconnect.of(connections).toHttpOptions(0, 1);
        asking.encryption.applyTo(options.tls());
        return options;
    }

    /** A run opens its first connection with its first request: that nobody listens must be known before. */
    void refuseIfNobodyAnswers() throws IOException {
        if (QueueOptions.isQueue(url)) {
            return; // looks for its queue itself
        }
        try {
            new HttpTarget(asking.request.toRequest(url), options(1).build())
                    .open(0, 1, NanoClock.system(), exchange -> {})
                    .close();
        } catch (IOException nobody) {
            throw Errors.nothing(nobody);
        }
    }
}
