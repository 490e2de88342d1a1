package dev.downbeat.netty;

import dev.downbeat.load.Request;
import dev.downbeat.load.ServiceRecorder;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Records each request of a Netty server from reading its head to writing the last of its response. Add a new one to
 * each channel right after the codec ({@code HttpServerCodec}, or {@code Http2StreamFrameToHttpObjectCodec} in a
 * stream's channel):
 *
 * <pre>{@code
 * channel.pipeline().addLast(new HttpServerCodec(), new RecorderHandler(orders), new OrderHandler());
 * }</pre>
 *
 * <p>A status of 500 or more is a failure. So is a request whose response could not be written, or was incomplete when
 * the channel closed or this handler was removed. The reason is then the last exception seen, if there was one.
 * Pipelined requests end in order. Like any handler of a single channel, it is used by its event loop only.
 */
public final class RecorderHandler extends ChannelDuplexHandler {
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int LEAST_FAILURE = 500;

    private final ServiceRecorder recorder;

    /** In order of arrival, which is the order of their responses. */
    private final Deque<Request> open = new ArrayDeque<>();

    private @Nullable Throwable lastException;
    private int status;

    /**
     * Creates a handler for one channel.
     *
     * @param recorder a recorder of a service
     */
    public RecorderHandler(ServiceRecorder recorder) {
        this.recorder = recorder;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpRequest) {
            open.add(recorder.request());
        }
        context.fireChannelRead(message);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise is passed on to the caller
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean isHead = message instanceof HttpResponse;
        if (isHead) {
            status = ((HttpResponse) message).status().code();
        }
        boolean isInterim = HttpStatusClass.INFORMATIONAL.contains(status) && status != SWITCHING_PROTOCOLS;
        boolean isLast = message instanceof LastHttpContent || (isHead && status == SWITCHING_PROTOCOLS);
        Request request = isLast && !isInterim ? open.poll() : null;
        if (request == null) {
            context.write(message, promise);
            return;
        }
        int requestStatus = status;
        context.write(message, promise.unvoid())
                .addListener(written -> end(request, (ChannelFuture) written, requestStatus));
    }

    private static void end(Request request, ChannelFuture written, int status) {
        if (!written.isSuccess()) {
            request.failed(written.cause());
        } else if (status >= LEAST_FAILURE) {
            request.failed("status " + status);
        } else {
            request.answered();
        }
    }

    /** A later handler may still respond. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        lastException = cause;
        context.fireExceptionCaught(cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        endAll("closed");
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        endAll("handler removed");
    }

    private void endAll(String otherwise) {
        for (Request request = open.poll(); request != null; request = open.poll()) {
            if (lastException == null) {
                request.failed(otherwise);
            } else {
                request.failed(lastException);
            }
        }
    }
}
