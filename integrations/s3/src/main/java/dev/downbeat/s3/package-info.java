/** Stores results in a bucket, with the AWS SDK, for machines that share no file system. */
@NullMarked
package dev.downbeat.s3;

import org.jspecify.annotations.NullMarked;
