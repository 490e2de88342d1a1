package dev.downbeat.sqs.message;

/** What became of a message that was to be sent. */
public enum MessageFate {
    /** The service has it. */
    SENT,
    /** The service does not have it. */
    NOT_SENT,
    /** Nobody knows: there was no answer, or one that confirms nothing. */
    UNKNOWN
}
