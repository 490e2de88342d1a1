package dev.downbeat.audit;

import java.util.List;

/**
 * The part of the users that a stall of a part of the service hit.
 *
 * @param users how many of them had a request in flight; 0 if the file does not name its users
 * @param ofUsers of how many
 * @param waitNanos how long each of the stuck requests lasted
 * @param missing requests that these users did not send meanwhile, at least
 * @param isWaiting whether the tool waits for responses, so that there may be such requests
 */
public record StalledPart(int users, int ofUsers, List<Long> waitNanos, double missing, boolean isWaiting) {
    public StalledPart {
        waitNanos = List.copyOf(waitNanos);
    }
}
