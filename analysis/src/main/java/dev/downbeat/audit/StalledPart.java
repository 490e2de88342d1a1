package dev.downbeat.audit;

import java.util.List;

/**
 * The users affected by a stall of one part of the service.
 *
 * @param users affected users with a request in flight; 0 if the file does not identify users
 * @param ofUsers all users
 * @param waitNanos duration of each stuck request
 * @param missing lower bound of the requests that these users did not send meanwhile
 * @param isWaiting whether the tool is a closed loop, so that requests can be missing
 */
public record StalledPart(int users, int ofUsers, List<Long> waitNanos, double missing, boolean isWaiting) {
    public StalledPart {
        waitNanos = List.copyOf(waitNanos);
    }
}
