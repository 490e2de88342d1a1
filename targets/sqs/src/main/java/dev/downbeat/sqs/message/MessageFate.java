package dev.downbeat.sqs.message;

/** The fate of a message. */
public enum MessageFate {
    /** The service has accepted it. */
    SENT,
    /** The service has not accepted it. */
    NOT_SENT,
    /** There was no response, or one that confirms nothing. */
    UNKNOWN
}
