package dev.downbeat.sqs.client;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;

/** Collects a body from its parts. */
final class WholeBody implements Subscriber<ByteBuffer> {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Consumer<byte[]> then;
    private final Consumer<Throwable> otherwise;

    WholeBody(Consumer<byte[]> then, Consumer<Throwable> otherwise) {
        this.then = then;
        this.otherwise = otherwise;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
        subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer part) {
        byte[] copy = new byte[part.remaining()];
        part.duplicate().get(copy);
        bytes.writeBytes(copy);
    }

    @Override
    public void onError(Throwable broken) {
        otherwise.accept(broken);
    }

    @Override
    public void onComplete() {
        then.accept(bytes.toByteArray());
    }
}
