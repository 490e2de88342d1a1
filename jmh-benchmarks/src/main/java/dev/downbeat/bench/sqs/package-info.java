/** What does the AWS SDK cost a caller of SQS: the first request, signing, marshalling? */
@NullMarked
package dev.downbeat.bench.sqs;

import org.jspecify.annotations.NullMarked;
