/** Stores results in a bucket, with the AWS SDK, for machines without a shared file system. */
@NullMarked
package dev.downbeat.s3;

import org.jspecify.annotations.NullMarked;
