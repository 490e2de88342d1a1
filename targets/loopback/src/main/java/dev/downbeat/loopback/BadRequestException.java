package dev.downbeat.loopback;

/** A request that is no HTTP, or asks for something that this server does not know. Its message is for the client. */
final class BadRequestException extends Exception {
    BadRequestException(String message) {
        super(message, null, false, false);
    }
}
