package dev.downbeat.spring;

import dev.downbeat.load.LiveRecorder;
import jakarta.servlet.ServletException;
import java.io.IOException;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;

/**
 * Records each request of Tomcat from when its connector began to read it, before any filter. To be the first valve of the
 * engine. Thread-safe.
 */
public final class RecorderValve extends ValveBase {
    private final LiveRecorder recorder;

    /**
     * A valve.
     *
     * @param recorder of a service
     */
    public RecorderValve(LiveRecorder recorder) {
        super(true);
        this.recorder = recorder;
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (request.getAttribute(RecorderFilter.RECORDED) != null) {
            getNext().invoke(request, response); // it was dispatched anew
            return;
        }
        request.setAttribute(RecorderFilter.RECORDED, true);
        long stampedAt = request.getCoyoteRequest().getStartTimeNanos();
        dev.downbeat.load.Request recorded = recorder.request(stampedAt > 0 ? stampedAt : System.nanoTime());
        boolean goesOn = false;
        try {
            getNext().invoke(request, response);
            goesOn = request.isAsync();
            if (goesOn) {
                request.getAsyncContextInternal().addListener(new ServletEnding(recorded, response));
            } else {
                ServletEnding.end(recorded, response);
            }
        } catch (IOException | ServletException | RuntimeException | Error thrown) {
            recorded.failed(thrown);
            throw thrown;
        } finally {
            if (!goesOn) {
                recorded.close();
            }
        }
    }
}
