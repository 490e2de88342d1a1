package dev.downbeat.cli.targets;

import dev.downbeat.cli.measurement.ClientOptions;
import dev.downbeat.cli.measurement.ConnectionOptions;
import dev.downbeat.cli.measurement.Encryption;
import dev.downbeat.cli.measurement.Schedule;
import dev.downbeat.cli.measurement.option.Refusal;
import dev.downbeat.cli.measurement.option.Values;
import dev.downbeat.exchange.Target;
import dev.downbeat.http.HttpTarget;
import dev.downbeat.http.message.HttpRequests;
import dev.downbeat.http.options.HttpEndpoint;
import dev.downbeat.http.options.HttpOptions;
import dev.downbeat.http.options.HttpOptions.HttpVersion;
import dev.downbeat.http.requests.RequestSet;
import dev.downbeat.http.requests.log.LoggedRequests;
import dev.downbeat.http.wait.Pacing;
import dev.downbeat.report.data.RunReport;
import dev.downbeat.run.RunPlan;
import dev.downbeat.run.Workload;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Creates HTTP targets; the URL may be a file of requests. */
public record HttpJob(ClientOptions asking, String url, WorkloadSource workload, RunPlan plan) {
    /** The target; {@code details} receives the connection settings for the report. */
    public Target target(Map<String, Object> details) throws IOException {
        int shards = plan.shard().count();
        Consumer<HttpOptions.Draft> options =
                asking.toHttpOptions(workload.closedClients(), workload.requests(), shards);
        boolean differing = workload.log().isPresent() || asking.requests().areSeveralKinds(url);
        Refusal.when(
                differing && HttpEndpoint.isOnlyConnected(url),
                "connect: and tls: send no requests: leave out the options for requests, or give an http:// target");
        Optional<HttpRequests> requests = differing ? Optional.of(requests()) : Optional.empty();
        List<HttpEndpoint> services =
                requests.map(HttpRequests::services).orElseGet(() -> List.of(HttpEndpoint.parse(url)));
        boolean isEncrypted = services.stream().anyMatch(HttpEndpoint::tls);
        double perSecond = Schedule.peakPerSecond(plan) / shards;
        Pacing.Choice pacing = asking.connections()
                .pacing()
                .of(perSecond, plan.generators(), services.stream().allMatch(HttpEndpoint::isLoopback));
        HttpOptions built = HttpOptions.of(options.andThen(draft -> {
            reach(draft, services, asking.connections(), asking.encryption());
            draft.pacing = pacing.way();
        }));
        details.put("connections", built.asNeeded() ? "as few as suffice" : built.connections());
        if (plan.generators() > 1) {
            details.put("threads", plan.generators());
        }
        if (built.http() != HttpVersion.HTTP_1_1) {
            details.put("http", built.http().word());
            details.put("streams", built.streams().streams());
        }
        built.proxy().ifPresent(proxy -> details.put("proxy", proxy.toString()));
        if (!built.keepAlive()) {
            details.put("keepalive", "off");
        }
        details.put("pacing", built.pacing().name().toLowerCase(Locale.ROOT));
        details.put(RunReport.PACING_REASON, pacing.reason());
        if (isEncrypted) {
            details.put("tls_engine", built.tls().provider().name());
            if (!built.tls().provider().isNative() && asking.encryption().engine() == Encryption.TlsEngine.AUTO) {
                BoringSslJar.absence().ifPresent(why -> details.put(RunReport.TLS_ENGINE_REASON, why));
            }
        }
        if (requests.isEmpty()) {
            return new HttpTarget(asking.request().toRequest(url), built);
        }
        for (String option : Values.arguments(asking.encryption()).keySet()) {
            Refusal.when(!isEncrypted, option + " needs an https:// target: this one is not encrypted");
        }
        return new HttpTarget(requests.get(), built);
    }

    /** Applies the redirections for these services, and the TLS engine if any of them is encrypted. */
    public static void reach(
            HttpOptions.Draft draft,
            List<HttpEndpoint> services,
            ConnectionOptions connections,
            Encryption encryption) {
        connections.redirect(draft, services);
        if (services.stream().anyMatch(HttpEndpoint::tls)) {
            BoringSslJar.of(encryption.engine()).ifPresent(engine -> draft.tls.provider = engine);
        }
    }

    /** The same over one connection, with a transcript. */
    public RequestTranscript transcript() throws IOException {
        RequestTranscript.Transcript recorder = new RequestTranscript.Transcript(requests());
        Consumer<HttpOptions.Draft> options = asking.toHttpOptions(workload.closedClients(), workload.requests(), 1);
        HttpOptions one = HttpOptions.of(options.andThen(draft -> {
            asking.connections().redirect(draft, recorder.services());
            draft.connections = 1;
            draft.cold = true;
            draft.pacing = Pacing.BLOCK;
        }));
        return new RequestTranscript(
                new HttpTarget(recorder, one), recorder, plan.workload().steps());
    }

    HttpRequests requests() throws IOException {
        if (workload.log().isPresent()) {
            Refusal.when(
                    asking.requests().areSeveralKinds(url),
                    "--replay-log determines the requests, and so do a file of requests, --expect, --var and"
                            + " --data-file: give one, or --times-only");
            return new LoggedRequests(
                    HttpEndpoint.parse(url),
                    workload.log().get().lines(workload.seed()),
                    asking.request().allHeaders());
        }
        boolean isSession = !(plan.workload() instanceof Workload.Open);
        RequestSet set = asking.source().toSet(url, isSession, workload.seed());
        return asking.requests().cold(AwsKeys.signed(set, asking.requests()));
    }
}
