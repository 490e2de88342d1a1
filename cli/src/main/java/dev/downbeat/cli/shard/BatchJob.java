package dev.downbeat.cli.shard;

/**
 * A script that submits an array job to AWS Batch. Whoever may describe a job definition reads its environment, so a plan
 * with a secret goes to Secrets Manager, and the definition names where it is.
 */
public final class BatchJob {
    /** In AWS Batch's definition of a job. */
    private static final String MOUNT = """
            ,
                "mountPoints": [{ "sourceVolume": "results", "containerPath": "%s", "readOnly": false }],
                "volumes": [{ "name": "results", "efsVolumeConfiguration": { "fileSystemId": %s } }]\
            """;

    private BatchJob() {}

    /** What {@code sh} takes. */
    public static String of(EngineJob job) {
        String array = job.plan().shards() == 1
                ? ""
                : " --array-properties size=" + job.plan().shards();
        String given = job.hasSecrets()
                ? "\"secrets\": [{ \"name\": \"DOWNBEAT_PLAN\", \"valueFrom\": \"@PLAN@\" }]"
                : "\"environment\": [{ \"name\": \"DOWNBEAT_PLAN\", \"value\": %s }]"
                        .formatted(EngineJob.quoted(job.plan().line()));
        return "#!/bin/sh\n" + job.head()
                + """
                %9$s
                set -eu
                start=${DOWNBEAT_START_AT:-%2$s}
                %13$saws batch register-job-definition --cli-input-json "$(%14$s <<'END_OF_DEFINITION'
                {
                  "jobDefinitionName": "%1$s",
                  "type": "container",
                  "retryStrategy": { "attempts": 1 },
                  "containerProperties": {
                    "image": %3$s,
                    %12$s"command": ["run", "--plan", "env:DOWNBEAT_PLAN", "-q", "-o", %4$s],
                    %5$s,
                    "resourceRequirements": [
                      { "type": "VCPU", "value": "%6$d" },
                      { "type": "MEMORY", "value": "%7$d" }
                    ]%8$s
                  }
                }
                END_OF_DEFINITION
                )"
                aws batch submit-job --job-name %1$s --job-queue %10$s --job-definition %1$s%11$s \\
                  --container-overrides "environment=[{name=DOWNBEAT_START_AT,value=$start}]"
                """.formatted(
                                job.name(),
                                job.start(),
                                EngineJob.quoted(job.options().image),
                                EngineJob.quoted(job.resultFile()),
                                given,
                                job.options().cpus,
                                job.options().memoryMebibytes(),
                                job.ifVolume(MOUNT),
                                job.whenOver(),
                                "'" + String.valueOf(job.options().queue).replace("'", "'\\''") + "'",
                                array,
                                job.ifRole("\"jobRoleArn\": %s,\n    ") + ifExecutionRole(job),
                                job.hasSecrets() ? createSecret(job) : "",
                                job.hasSecrets() ? "sed \"s|@PLAN@|$plan|\"" : "cat");
    }

    /** From stdin: what stands on a command line is seen by every process of the machine. */
    private static String createSecret(EngineJob job) {
        return """
                # When the job is over: aws secretsmanager delete-secret --secret-id %1$s
                plan=$(aws secretsmanager create-secret --name %1$s --query ARN --output text \\
                  --secret-string file:///dev/stdin <<'END_OF_PLAN'
                %2$s
                END_OF_PLAN
                )
                """.formatted(job.name(), job.plan().line());
    }

    private static String ifExecutionRole(EngineJob job) {
        return job.hasSecrets()
                ? "\"executionRoleArn\": %s,\n    "
                        .formatted(EngineJob.quoted(String.valueOf(job.options().executionRole)))
                : "";
    }
}
