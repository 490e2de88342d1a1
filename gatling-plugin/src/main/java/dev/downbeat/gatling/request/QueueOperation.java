package dev.downbeat.gatling.request;

import dev.downbeat.sqs.SqsQueue;
import dev.downbeat.sqs.SqsQueue.SqsCall;

/** An operation that can be executed on a queue. */
public interface QueueOperation {
    SqsCall start(SqsQueue queue, long intendedAt, SqsCall.Listener listener);
}
