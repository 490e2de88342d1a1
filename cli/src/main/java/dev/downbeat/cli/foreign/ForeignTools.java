package dev.downbeat.cli.foreign;

import dev.downbeat.cli.foreign.ForeignTool.Rule;
import java.util.Optional;

/** The known tools and the translations of their options. */
final class ForeignTools {
    private static final Rule NOTHING = ForeignTool.NOTHING;
    private static final Rule RATE = ForeignOptions::rate;
    private static final Rule RATE_OF_EACH = ForeignOptions::rateOfEach;
    private static final Rule WORKERS = ForeignOptions::workers;
    private static final Rule COUNT = ForeignOptions::count;
    private static final Rule DURATION = ForeignOptions::duration;
    private static final Rule CLOSES = (said, value) -> said.closes();

    private static final Rule PROXY =
            (said, value) -> said.words("--proxy", value.contains("://") ? value : "http://" + value);

    private ForeignTools() {}

    /** The tool of that name, if known. */
    static Optional<ForeignTool> named(String name) {
        return Optional.ofNullable(
                switch (name) {
                    case "wrk", "wrk2" -> wrk(name);
                    case "oha" -> oha();
                    case "hey" -> hey();
                    case "ab" -> ab();
                    case "vegeta" -> vegeta();
                    case "k6" -> k6();
                    case "bombardier" -> bombardier();
                    case "h2load" -> h2load();
                    default -> null;
                });
    }

    private static Rule as(String ours) {
        return (said, value) -> said.words(ours, value);
    }

    private static Rule say(String... ours) {
        return (said, value) -> said.words(ours);
    }

    private static Rule timeAs(String ours) {
        return (said, value) -> said.words(ours, ForeignOptions.seconds(value));
    }

    private static Rule header(String header) {
        return (said, value) -> said.words("-H", header + ": " + value);
    }

    private static Rule body(String method, String before) {
        return (said, value) -> {
            if (!method.isEmpty()) {
                said.words("-X", method);
            }
            said.words("--data", before + value);
        };
    }

    private static Rule http(String version) {
        return (said, value) -> said.http(version);
    }

    private static Rule note(String text) {
        return (said, value) -> said.note(text);
    }

    private static Rule rateAnd(String note) {
        return (said, value) -> {
            said.rate(value);
            said.note(note);
        };
    }

    private static ForeignTool wrk(String name) {
        return new ForeignTool(name, false)
                .option(as("--threads"), "-t", "--threads")
                .option(WORKERS, "-c", "--connections")
                .option(DURATION, "-d", "--duration")
                .option(as("-H"), "-H", "--header")
                .option(RATE, "-R", "--rate")
                .option(timeAs("--timeout"), "--timeout")
                .option(note("script is not run: write its requests to a file, requests.http"), "-s", "--script")
                .flag(NOTHING, "-L", "--latency", "-U", "--u_latency");
    }

    /** Options common to hey and its successor oha. */
    private static ForeignTool likeHey(ForeignTool tool) {
        return tool.option(COUNT, "-n")
                .option(WORKERS, "-c")
                .option(DURATION, "-z")
                .option(as("-H"), "-H")
                .option(body("", ""), "-d")
                .option(body("", "@"), "-D")
                .option(header("Content-Type"), "-T")
                .option(header("Accept"), "-A")
                .option(as("--user"), "-a")
                .option(timeAs("--timeout"), "-t");
    }

    private static ForeignTool oha() {
        return likeHey(new ForeignTool("oha", false))
                .option(rateAnd("-q is -R here; -q is quiet"), "-q")
                .option(as("-X"), "-m", "--method")
                .option(ForeignOptions::streams, "-p")
                .option(NOTHING, "-w", "--output-format")
                .option(as("-o"), "-o")
                .option(note("--unix-socket FILE is the target unix:FILE:/path here"), "--unix-socket")
                .option(as("--connect-to"), "--connect-to")
                .flag(say("-k"), "--insecure")
                .flag(CLOSES, "--disable-keepalive")
                .flag(NOTHING, "--no-tui")
                .flag(note("--latency-correction is always on here"), "--latency-correction")
                .flag(http("2"), "--http2")
                .option(
                        (said, value) ->
                                http(value.startsWith("2") ? "2" : "1.1").take(said, value),
                        "--http-version")
                .flag(say("--json"), "-j", "--json");
    }

    private static ForeignTool hey() {
        return likeHey(new ForeignTool("hey", true))
                .option(RATE_OF_EACH, "-q")
                .option(as("-X"), "-m")
                .option(header("User-Agent"), "-U")
                .option(header("Host"), "-host")
                .option(NOTHING, "-cpus", "-o")
                .option(PROXY, "-x")
                .flag(http("2"), "-h2")
                .flag(CLOSES, "-disable-keepalive")
                .flag(NOTHING, "-disable-compression", "-disable-redirects");
    }

    private static ForeignTool ab() {
        return new ForeignTool("ab", false)
                .option(NOTHING, "-g", "-e", "-v", "-b", "-w")
                .option(COUNT, "-n")
                .option(WORKERS, "-c")
                .option(DURATION, "-t")
                .option(as("-H"), "-H")
                .option(header("Cookie"), "-C")
                .option(header("Content-Type"), "-T")
                .option(body("POST", "@"), "-p")
                .option(body("PUT", "@"), "-u")
                .option(as("-X"), "-m")
                .option(as("--user"), "-A")
                .option(timeAs("--timeout"), "-s")
                .flag(note("-k keeps connections, as Downbeat does; -k here is for TLS"), "-k")
                .flag(NOTHING, "-q", "-d", "-S", "-r")
                .flag(say("-X", "HEAD"), "-i");
    }

    private static ForeignTool vegeta() {
        return new ForeignTool("vegeta", true)
                .option(NOTHING, "-workers", "-max-workers", "-name", "-output", "-format", "-max-body", "-redirects")
                .option(RATE, "-rate")
                .option(DURATION, "-duration")
                .option(as("--targets"), "-targets")
                .option(body("", "@"), "-body")
                .option(as("-H"), "-header")
                .option(timeAs("--timeout"), "-timeout")
                .option(as("-c"), "-connections", "-max-connections")
                .option(note("-unix-socket FILE is the target unix:FILE:/path here"), "-unix-socket")
                .flag(say("-k"), "-insecure")
                .flag(NOTHING, "-keepalive", "-lazy", "-http2=false")
                .flag(http("auto"), "-http2")
                .flag(CLOSES, "-keepalive=false")
                .flag(http("2"), "-h2c");
    }

    private static ForeignTool k6() {
        return new ForeignTool("k6", false)
                .option(WORKERS, "-u", "--vus")
                .option(DURATION, "-d", "--duration")
                .option(COUNT, "-i", "--iterations")
                .option(note("stages of virtual users are stages of a rate here: --stage 30s:1k/s"), "-s", "--stage")
                .option(note("--rps is a cap; a rate that holds is -R here"), "--rps")
                .option(NOTHING, "-e", "--env", "-o", "--out", "--summary-export")
                .flag(say("-q"), "-q", "--quiet")
                .flag(say("-k"), "--insecure-skip-tls-verify")
                .flag(NOTHING, "--no-color");
    }

    private static ForeignTool bombardier() {
        return new ForeignTool("bombardier", false)
                .option(WORKERS, "-c", "--connections")
                .option(COUNT, "-n", "--requests")
                .option(DURATION, "-d", "--duration")
                .option(RATE, "-r", "--rate")
                .option(as("-X"), "-m", "--method")
                .option(as("-H"), "-H", "--header")
                .option(body("", ""), "-b", "--body")
                .option(body("", "@"), "-f", "--body-file")
                .option(timeAs("--timeout"), "-t", "--timeout")
                .option(NOTHING, "-p", "--print", "-o", "--format")
                .flag(say("-k"), "-k", "--insecure")
                .flag(NOTHING, "-l", "--latencies", "--fasthttp", "--http1")
                .flag(CLOSES, "-a", "--disableKeepAlives")
                .flag(http("2"), "--http2");
    }

    private static ForeignTool h2load() {
        return new ForeignTool("h2load", false)
                .first(http("2"))
                .option(COUNT, "-n", "--requests")
                .option(WORKERS, "-c", "--clients")
                .option(as("--threads"), "-t", "--threads")
                .option(DURATION, "-D", "--duration")
                .option(as("-H"), "-H", "--header")
                .option(body("", "@"), "-d", "--data")
                .option(ForeignOptions::streams, "-m", "--max-concurrent-streams")
                .option(note("-w and -W are powers of two; --receive-window is in bytes"), "-w", "-W")
                .option(
                        (said, value) ->
                                http(value.startsWith("h2") ? "2" : "1.1").take(said, value),
                        "-p",
                        "--no-tls-proto")
                .option(NOTHING, "-T", "--connection-active-timeout", "-N", "--connection-inactivity-timeout")
                .option(RATE_OF_EACH, "--rps")
                .flag(http("1.1"), "--h1");
    }
}
