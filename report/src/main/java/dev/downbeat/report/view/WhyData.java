package dev.downbeat.report.view;

import dev.downbeat.report.data.Diagnosis;
import dev.downbeat.report.data.Diagnosis.EventTrack;
import dev.downbeat.report.render.RecordJson.Known;
import dev.downbeat.report.render.RecordJson.OneLine;
import dev.downbeat.why.Event;
import dev.downbeat.why.EventCause;
import dev.downbeat.why.EventKind;
import dev.downbeat.why.Explanation;
import dev.downbeat.why.WatchResult;
import java.util.List;

/** Events in the service during the run, and the slow requests that they explain. */
record WhyData(
        Known<String> text,
        List<WatchedData> watched,
        List<ExplanationData> explanations,
        List<KindData> kinds,
        List<String> notes) {
    static WhyData of(Diagnosis why) {
        return new WhyData(
                Known.of(why.line(), "the service could not be watched, see notes"),
                why.watched().stream().map(WatchedData::of).toList(),
                why.explanations().stream().map(ExplanationData::of).toList(),
                why.tracks().stream().map(KindData::of).toList(),
                why.notes());
    }

    /** Events seen by one watcher, and the time it covered. */
    record WatchedData(String source, long events, long fromNanos, long toNanos, long uncertaintyNanos)
            implements OneLine {
        static WatchedData of(WatchResult one) {
            return new WatchedData(
                    one.source(), one.events().size(), one.fromNanos(), one.toNanos(), one.uncertaintyNanos());
        }
    }

    /** The causes of the slow requests of the tail, or of one incident. */
    record ExplanationData(String beyond, long fromNanos, long requests, List<CauseData> causes, double unexplained) {
        static ExplanationData of(Explanation one) {
            return new ExplanationData(
                    one.subject().name(),
                    one.fromNanos(),
                    one.requests(),
                    one.causes().stream().map(CauseData::of).toList(),
                    one.unexplained());
        }
    }

    /** A kind of event that covers more of the slow time than chance would. */
    record CauseData(
            String kind,
            List<String> together,
            long events,
            double share,
            double shareLow,
            double shareHigh,
            double chance,
            String detail)
            implements OneLine {
        static CauseData of(EventCause one) {
            return new CauseData(
                    one.kind().code(),
                    one.together().stream().map(EventKind::code).toList(),
                    one.events(),
                    one.share(),
                    one.shareLow(),
                    one.shareHigh(),
                    one.chance(),
                    one.detail());
        }
    }

    /** All events of one kind. */
    record KindData(
            String kind, long events, long totalNanos, long longestNanos, long longestStartNanos, String longestDetail)
            implements OneLine {
        static KindData of(EventTrack track) {
            Event longest = track.longest();
            return new KindData(
                    track.kind().code(),
                    track.events().size(),
                    track.totalNanos(),
                    longest.lengthNanos(),
                    longest.startNanos(),
                    longest.detail());
        }
    }
}
