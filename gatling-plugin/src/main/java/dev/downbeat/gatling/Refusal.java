package dev.downbeat.gatling;

/** A mistake of the user's, told in one line: a stack trace would hide it. */
final class Refusal extends IllegalStateException {
    private static final long serialVersionUID = 1;

    Refusal(String message) {
        super(message);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
