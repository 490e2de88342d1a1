package dev.downbeat.netty;

import dev.downbeat.load.LiveRecorder;
import dev.downbeat.load.Request;
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
 * Records each request of a Netty server from when its head was read until the last of its response was written. To be right
 * behind the codec ({@code HttpServerCodec}, or {@code Http2StreamFrameToHttpObjectCodec} in the channel of a stream), a new one
 * for each channel:
 *
 * <pre>{@code
 * channel.pipeline().addLast(new HttpServerCodec(), new RecorderHandler(orders), new OrderHandler());
 * }</pre>
 *
 * <p>A status of 500 or more is a failure. So is a request whose response could not be written, or was not complete when the
 * channel closed or this handler was removed: under the name of the exception that was seen last, if there was one. Requests that
 * are pipelined end in their order. Like any handler of one channel, for its event loop only.
 */
public final class RecorderHandler extends ChannelDuplexHandler {
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int LEAST_FAILURE = 500;

    private final LiveRecorder recorder;

    /** In the order in which they came, which is that of their responses. */
    private final Deque<Request> open = new ArrayDeque<>();

    private @Nullable Throwable seen;
    private int status;

    /**
     * A handler of one channel.
     *
     * @param recorder of a service
     */
    public RecorderHandler(LiveRecorder recorder) {
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
    @SuppressWarnings("FutureReturnValueIgnored") // the promise has been given to whoever wants to know
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
        int its = status;
        context.write(message, promise.unvoid()).addListener(written -> end(request, (ChannelFuture) written, its));
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

    /** Whoever handles it may still answer. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        seen = cause;
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
            if (seen == null) {
                request.failed(otherwise);
            } else {
                request.failed(seen);
            }
        }
    }
}
