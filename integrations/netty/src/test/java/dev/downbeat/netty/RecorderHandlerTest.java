package dev.downbeat.netty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.downbeat.load.Measured;
import dev.downbeat.load.ServiceRecorder;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RecorderHandlerTest {
    private final ServiceRecorder orders = ServiceRecorder.of("orders");
    private final RecorderHandler handler = new RecorderHandler(orders);
    private final EmbeddedChannel channel = new EmbeddedChannel(handler, new ChannelInboundHandlerAdapter() {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            // somebody who deals with it
        }
    });

    @AfterEach
    void close() {
        Object unused = channel.close();
        orders.close();
    }

    private void ask() {
        channel.writeInbound(
                new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/order", Unpooled.EMPTY_BUFFER));
    }

    private void answer(HttpResponseStatus status) {
        channel.writeOutbound(new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER));
    }

    @Test
    void a_request_ends_with_the_last_of_its_response() {
        ask();
        channel.writeOutbound(new DefaultHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK));
        assertThat(orders.take().inFlight()).isEqualTo(1);
        channel.writeOutbound(new DefaultLastHttpContent());
        Measured measured = orders.take();
        assertThat(measured.answered()).isEqualTo(1);
        assertThat(measured.inFlight()).isZero();
    }

    @Test
    void pipelined_requests_end_in_their_order_and_an_interim_response_ends_none() {
        ask();
        ask();
        ask();
        answer(HttpResponseStatus.CONTINUE);
        answer(HttpResponseStatus.OK);
        answer(HttpResponseStatus.BAD_GATEWAY);
        answer(HttpResponseStatus.SWITCHING_PROTOCOLS);
        Measured measured = orders.take();
        assertThat(measured.answered()).isEqualTo(2);
        assertThat(measured.failures()).containsOnlyKeys("status 502");
        assertThat(measured.inFlight()).isZero();
    }

    @Test
    void a_status_from_500_on_is_a_failure() {
        ask();
        ask();
        answer(HttpResponseStatus.valueOf(499));
        answer(HttpResponseStatus.INTERNAL_SERVER_ERROR);
        Measured measured = orders.take();
        assertThat(measured.answered()).isEqualTo(1);
        assertThat(measured.failures()).isEqualTo(Map.of("status 500", 1L));
    }

    @Test
    void no_end_can_be_forgotten() {
        ask();
        ask();
        Object unused = channel.close();
        assertThat(orders.take().failures()).containsEntry("closed", 2L).hasSize(1);
    }

    @Test
    void an_exception_is_the_reason_unless_the_call_was_answered() {
        ask();
        ask();
        channel.pipeline().fireExceptionCaught(new IOException("reset"));
        answer(HttpResponseStatus.OK);
        channel.pipeline().remove(handler);
        Measured measured = orders.take();
        assertThat(measured.answered()).isEqualTo(1);
        assertThat(measured.failures()).containsOnlyKeys("IOException");
    }

    @Test
    void a_response_that_cannot_be_written_is_a_failure() {
        channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                promise.setFailure(new IOException("broken pipe"));
            }
        });
        ask();
        Object unused = channel.write(
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.EMPTY_BUFFER));
        assertThat(orders.take().failures()).containsOnlyKeys("IOException");
    }
}
