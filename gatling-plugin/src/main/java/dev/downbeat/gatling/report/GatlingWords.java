package dev.downbeat.gatling.report;

import java.util.List;

/**
 * What Downbeat's pages say of a run of its own, in the words of Gatling's users. Gatling has no pool of connections that a
 * request could wait for: what waits is held by a throttle, or by its user, who was still waiting for an answer.
 *
 * @param pooled whether requests went over Downbeat's connections, of which there may be none free
 */
public record GatlingWords(boolean pooled) {
    record Word(String ours, String gatlings) {}

    static final List<Word> WORDS = List.of(
            new Word("waited for a free connection", "waited for the throttle, or for their user's last answer"),
            new Word("wait for free connections", "wait for the throttle, or for the user's last answer"),
            new Word("waits for free connections", "waits for the throttle, or for users' last answers"),
            new Word(" to get a connection", " for the throttle, or for their user's last answer"),
            new Word(
                    "none: a slot was free for every request",
                    "none: no throttle and no user's last answer held a request back"),
            new Word(
                    "Independent users see longer times: use -R", "Independent users see longer times: use injectOpen"),
            new Word(
                    "Lower the rate, or give this client more cores or a quieter machine",
                    "Inject fewer users per second, or give Gatling more cores or a quieter machine"),
            new Word("add --warm-up", "add -Ddownbeat.warmUp=auto"),
            new Word("Give more --consumers", "Inject fewer users per second"),
            new Word("final URL, or --follow 3", "final URL"),
            new Word("Downbeat sent", "Gatling sent"),
            new Word("a limit of Downbeat's process or machine", "a limit of Gatling's process or machine"),
            new Word("lower the rate", "inject fewer users per second"),
            new Word("Downbeat itself was", "Gatling's own process was"),
            new Word("this client was starting", "Gatling's JVM was starting"),
            new Word("this client was paused", "Gatling's own process was paused"),
            new Word("pause of Downbeat itself", "pause of Gatling's own process"),
            new Word("pauses of Downbeat itself", "pauses of Gatling's own process"));

    String of(String text) {
        String said = text;
        for (Word word : WORDS) {
            String theirs = pooled && word.ours().contains("connection")
                    ? word.gatlings().replace("for the throttle,", "for a free connection, the throttle,")
                    : word.gatlings();
            said = said.replace(word.ours(), theirs);
        }
        return said;
    }
}
