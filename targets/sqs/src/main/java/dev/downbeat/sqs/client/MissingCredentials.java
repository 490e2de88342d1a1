package dev.downbeat.sqs.client;

import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ContainerCredentialsProvider;
import software.amazon.awssdk.auth.credentials.InstanceProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.ProfileCredentialsProvider;
import software.amazon.awssdk.auth.credentials.WebIdentityTokenFileCredentialsProvider;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.profiles.Profile;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;
import software.amazon.awssdk.utils.SystemSetting;

/**
 * Explains why the SDK's default chain found no credentials. The chain's own message lists every source; here only the
 * configured source is queried, in the chain's order.
 */
public final class MissingCredentials {
    /** The SDK's default profile. */
    private static final String NO_PROFILE = "default";

    private static final int LONGEST_TEXT = 300;
    private static final String ADVICE =
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE (a local server takes any)";

    private MissingCredentials() {}

    /** Advice if the provider is unknown. */
    public static String advice() {
        return ADVICE;
    }

    /** The reason in one line; uses the network if a network source, or none, is configured. */
    public static String reason() {
        boolean hasKey = isSet(SdkSystemSetting.AWS_ACCESS_KEY_ID);
        if (hasKey != isSet(SdkSystemSetting.AWS_SECRET_ACCESS_KEY)) {
            return hasKey
                    ? "AWS_ACCESS_KEY_ID is set, AWS_SECRET_ACCESS_KEY is not"
                    : "AWS_SECRET_ACCESS_KEY is set, AWS_ACCESS_KEY_ID is not";
        }
        if (isSet(SdkSystemSetting.AWS_WEB_IDENTITY_TOKEN_FILE)) {
            return "web identity: " + failureOf(WebIdentityTokenFileCredentialsProvider.create());
        }
        String name = ProfileFileSystemSetting.AWS_PROFILE.getStringValue().orElse(NO_PROFILE);
        Optional<Profile> profile;
        try {
            profile = ProfileFile.defaultProfileFile().profile(name);
        } catch (RuntimeException corrupt) {
            return "the AWS profile file cannot be read: " + line(corrupt);
        }
        if (profile.filter(one -> !name.equals(NO_PROFILE) || hasCredentials(one))
                .isPresent()) {
            return "profile " + name + ": " + failureOf(ProfileCredentialsProvider.create(name));
        }
        if (!name.equals(NO_PROFILE)) {
            return "there is no profile " + name + " in ~/.aws/config and ~/.aws/credentials";
        }
        if (isSet(SdkSystemSetting.AWS_CONTAINER_CREDENTIALS_FULL_URI)
                || isSet(SdkSystemSetting.AWS_CONTAINER_CREDENTIALS_RELATIVE_URI)) {
            return "container: " + failureOf(ContainerCredentialsProvider.create());
        }
        if (SdkSystemSetting.AWS_EC2_METADATA_DISABLED.getBooleanValueOrThrow()) {
            return "none are set: " + ADVICE;
        }
        return "none are set, and the instance metadata service returned none ("
                + failureOf(InstanceProfileCredentialsProvider.create()) + "): " + ADVICE;
    }

    /** Many profiles contain only a region. */
    private static boolean hasCredentials(Profile profile) {
        return profile.properties().keySet().stream()
                .anyMatch(key -> key.equals("aws_access_key_id")
                        || key.equals("role_arn")
                        || key.equals("credential_process")
                        || key.startsWith("sso_"));
    }

    private static boolean isSet(SystemSetting setting) {
        return setting.getStringValue().isPresent();
    }

    private static String failureOf(AwsCredentialsProvider provider) {
        try {
            provider.resolveCredentials();
            return "it has some now";
        } catch (RuntimeException refused) {
            return line(refused);
        }
    }

    /** The innermost message: outer ones only say that credentials could not be loaded. */
    private static String line(Throwable thrown) {
        String text = thrown.getClass().getSimpleName();
        for (Throwable cause = thrown; cause != null; cause = cause.getCause() == cause ? null : cause.getCause()) {
            text = cause.getMessage() == null || cause.getMessage().isBlank() ? text : cause.getMessage();
        }
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() > LONGEST_TEXT ? line.substring(0, LONGEST_TEXT) + "..." : line;
    }
}
