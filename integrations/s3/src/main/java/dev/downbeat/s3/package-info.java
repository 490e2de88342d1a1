/** Where do results go when the machines of a run share no file system? Into a bucket, by the AWS SDK. */
@NullMarked
package dev.downbeat.s3;

import org.jspecify.annotations.NullMarked;
