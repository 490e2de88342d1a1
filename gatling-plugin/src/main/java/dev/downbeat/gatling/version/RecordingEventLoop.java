package dev.downbeat.gatling.version;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Default implementations for event loops that only record: they have no channels and no lifecycle. */
public interface RecordingEventLoop extends EventLoopGroup {
    @Override
    default ChannelFuture register(Channel channel) {
        throw refusal();
    }

    @Override
    default ChannelFuture register(ChannelPromise promise) {
        throw refusal();
    }

    @Override
    @Deprecated
    default ChannelFuture register(Channel channel, ChannelPromise promise) {
        throw refusal();
    }

    @Override
    default Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        throw refusal();
    }

    @Override
    default Future<?> terminationFuture() {
        throw refusal();
    }

    @Override
    default boolean awaitTermination(long timeout, TimeUnit unit) {
        throw refusal();
    }

    /** The exception to throw. */
    static UnsupportedOperationException refusal() {
        return new UnsupportedOperationException("this event loop only notes when users are to start");
    }
}
