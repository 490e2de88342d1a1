package dev.downbeat.loopback;

/** A request that is not HTTP or is not supported by this server. The message is for the client. */
final class BadRequestException extends Exception {
    BadRequestException(String message) {
        super(message, null, false, false);
    }
}
