package dev.downbeat.cli.shard;

import dev.downbeat.cli.file.OutputFile;
import dev.downbeat.cli.measurement.Messages;
import dev.downbeat.cli.terminal.PlanText;
import dev.downbeat.report.file.PlanFile;
import dev.downbeat.report.paper.ShellWords;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A plan wrapped for an engine that starts copies of a process: what is printed can be applied as it is.
 *
 * @param plan what all of them run
 * @param options what each of them gets
 * @param start when all of them begin
 * @param hasSecrets whether the plan's words hold what is nobody's business
 * @param files what the plan names; they travel with a job of Kubernetes, in a Secret
 * @param runSeconds how long requests are meant to start
 */
public record EngineJob(
        PlanFile plan, EngineOptions options, Instant start, boolean hasSecrets, List<Path> files, long runSeconds) {
    /** For what comes before and after: a node that has to be made, an image that is pulled, a drain, an upload. */
    private static final long RESERVE_SECONDS = 3_600;

    private static final String RESULTS = "/results";

    /** In AWS Batch's definition of a job. */
    private static final String MOUNT = """
            ,
                "mountPoints": [{ "sourceVolume": "results", "containerPath": "%s", "readOnly": false }],
                "volumes": [{ "name": "results", "efsVolumeConfiguration": { "fileSystemId": %s } }]\
            """;

    /** Copies the list. */
    public EngineJob {
        files = List.copyOf(files);
    }

    /** After which a job that hangs is ended: whole hours, so that the same plan for the same start is the same text. */
    private long deadlineSeconds() {
        long untilStart = Math.max(0, Duration.between(Instant.now(), start).toSeconds());
        long seconds = untilStart + runSeconds + RESERVE_SECONDS;
        return (seconds + 3_599) / 3_600 * 3_600;
    }

    String name() {
        return options.name != null ? options.name : "downbeat-" + plan.id();
    }

    private String resultFile() {
        return options.store == null
                ? RESULTS + "/" + name() + "-" + OutputFile.SHARD + ".downbeat"
                : folderInStore() + "shard-" + OutputFile.SHARD + ".downbeat";
    }

    private String folderInStore() {
        return options.store + (String.valueOf(options.store).endsWith("/") ? "" : "/") + name() + "/";
    }

    private String whenOver() {
        return "# When the job is over"
                + (options.store == null
                        ? ", where the volume is mounted: downbeat merge " + RESULTS + "/" + name() + "-*.downbeat"
                        : ": downbeat merge " + ShellWords.quoted(folderInStore()));
    }

    /** Lines that are there only if results go to a volume. */
    private String ifVolume(String lines) {
        return options.volume == null ? "" : lines.formatted(RESULTS, quoted(options.volume));
    }

    private String ifRole(String line) {
        return options.role == null ? "" : line.formatted(quoted(options.role));
    }

    private String head() {
        return """
                # Plan %s: %s
                # %s, %d shards, each of which begins at $DOWNBEAT_START_AT or says that it was late.
                """.formatted(plan.id(), oneLine(plan.target()), oneLine(plan.load()), plan.shards());
    }

    private static String oneLine(String text) {
        return Messages.line(text);
    }

    /**
     * A Kubernetes Indexed Job that a namespace with the pod security standard "restricted" admits; the group of the user of
     * our image may write to a fresh volume. One shard that fails must not end the others, and none is started again: hence a limit for
     * each index.
     */
    public String kubernetes() {
        String kind = hasSecrets ? "Secret" : "ConfigMap";
        List<EngineFile> travelling = EngineFile.read(files);
        StringBuilder contents = new StringBuilder();
        StringBuilder mounts = new StringBuilder();
        for (int i = 0; i < travelling.size(); i++) {
            contents.append("  file-%d: %s\n".formatted(i, travelling.get(i).base64()));
            mounts.append("            - { name: files, mountPath: %s, subPath: file-%d, readOnly: true }\n"
                    .formatted(quoted(travelling.get(i).place()), i));
        }
        boolean isAlone = travelling.isEmpty();
        String source = hasSecrets ? "secret: { secretName: %s }" : "configMap: { name: %s }";
        return head()
                + """
                %s
                apiVersion: v1
                kind: %s
                metadata:
                  name: %s
                %s:
                  plan.json: |
                %s---
                %sapiVersion: batch/v1
                kind: Job
                metadata:
                  name: %s
                  labels: { app.kubernetes.io/name: downbeat, app.kubernetes.io/instance: %s }
                spec:
                  completionMode: Indexed
                  completions: %d
                  parallelism: %d
                  backoffLimitPerIndex: 0
                  activeDeadlineSeconds: %d
                  ttlSecondsAfterFinished: 86400
                  template:
                    metadata:
                      labels: { app.kubernetes.io/name: downbeat, app.kubernetes.io/instance: %s }
                    spec:
                      restartPolicy: Never
                      terminationGracePeriodSeconds: 30
                      automountServiceAccountToken: %s
                      securityContext:
                        runAsNonRoot: true
                        runAsUser: 65532
                        runAsGroup: 65532
                        fsGroup: 65532
                        seccompProfile: { type: RuntimeDefault }
                %s\
                      topologySpreadConstraints:
                        - maxSkew: 1
                          topologyKey: kubernetes.io/hostname
                          whenUnsatisfiable: ScheduleAnyway
                          labelSelector:
                            matchLabels: { app.kubernetes.io/instance: %s }
                      containers:
                        - name: downbeat
                          image: %s
                %s\
                          args: ["run", "--plan", "/plan/plan.json", "-q", "-o", %s]
                          env:
                            - name: DOWNBEAT_START_AT
                              value: "%s"
                            - name: JOB_COMPLETION_INDEX
                              valueFrom:
                                fieldRef:
                                  fieldPath: metadata.annotations['batch.kubernetes.io/job-completion-index']
                          resources:
                            requests: { cpu: "%d", memory: "%s" }
                            limits: { cpu: "%d", memory: "%s" }
                          securityContext:
                            allowPrivilegeEscalation: false
                            capabilities: { drop: ["ALL"] }
                          volumeMounts:
                            - { name: plan, mountPath: /plan, readOnly: true }
                            - { name: tmp, mountPath: /tmp }
                %s\
                %s\
                      volumes:
                        - name: plan
                          %s
                        - name: tmp
                          emptyDir: {}
                %s\
                %s\
                """.formatted(
                        whenOver(),
                        kind,
                        name(),
                        hasSecrets ? "stringData" : "data",
                        plan.text().lines().map(line -> "    " + line + "\n").collect(Collectors.joining()),
                        isAlone
                                ? ""
                                : "apiVersion: v1\nkind: Secret\nmetadata:\n  name: %s-files\ndata:\n%s---\n"
                                        .formatted(name(), contents),
                        name(),
                        name(),
                        plan.shards(),
                        plan.shards(),
                        deadlineSeconds(),
                        name(),
                        !ifRole("%s").isEmpty(), // a pod asks its cluster nothing, unless it has a role
                        ifRole("      serviceAccountName: %s\n"),
                        name(),
                        quoted(options.image),
                        isAlone ? "" : "          workingDir: " + EngineFile.FOLDER + "\n",
                        quoted(resultFile()),
                        start,
                        options.cpus,
                        options.memory,
                        options.cpus,
                        options.memory,
                        mounts,
                        ifVolume("            - { name: results, mountPath: %1$s }\n"),
                        source.formatted(name()),
                        isAlone ? "" : "        - name: files\n          secret: { secretName: " + name() + "-files }\n",
                        ifVolume("        - name: results\n          persistentVolumeClaim: { claimName: %2$s }\n"));
    }

    /** A script for a Slurm job array. */
    public String slurm() {
        return "#!/bin/sh\n" + head()
                + """
                # DOWNBEAT_START_AT=$(date -u -d '+2 minutes' +%%Y-%%m-%%dT%%H:%%M:%%SZ) sbatch THIS_FILE
                # When the array is over: downbeat merge %1$s/shard-*.downbeat
                #SBATCH --job-name=%1$s
                #SBATCH --array=0-%2$d
                #SBATCH --ntasks=1
                #SBATCH --cpus-per-task=%3$d
                #SBATCH --mem=%4$dM
                #SBATCH --output=%1$s-%%a.log
                set -eu
                : "${DOWNBEAT_START_AT:=%5$s}"
                export DOWNBEAT_START_AT
                results=${DOWNBEAT_RESULTS:-$SLURM_SUBMIT_DIR/%1$s}
                mkdir -p "$results"
                exec "${DOWNBEAT:-downbeat}" run --plan - -q -o "$results/shard-{shard}.downbeat" <<'END_OF_PLAN'
                %6$sEND_OF_PLAN
                """.formatted(name(), plan.shards() - 1, options.cpus, options.memoryMebibytes(), start, plan.text());
    }

    /**
     * A script that submits an array job to AWS Batch. Whoever may describe a job definition reads its environment, so a plan
     * with a secret goes to Secrets Manager, and the definition names where it is.
     */
    public String awsBatch() {
        String array = plan.shards() == 1 ? "" : " --array-properties size=" + plan.shards();
        String given = hasSecrets
                ? "\"secrets\": [{ \"name\": \"DOWNBEAT_PLAN\", \"valueFrom\": \"@PLAN@\" }]"
                : "\"environment\": [{ \"name\": \"DOWNBEAT_PLAN\", \"value\": %s }]".formatted(quoted(plan.line()));
        return "#!/bin/sh\n" + head()
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
                                name(),
                                start,
                                quoted(options.image),
                                quoted(resultFile()),
                                given,
                                options.cpus,
                                options.memoryMebibytes(),
                                ifVolume(MOUNT),
                                whenOver(),
                                "'" + String.valueOf(options.queue).replace("'", "'\\''") + "'",
                                array,
                                ifRole("\"jobRoleArn\": %s,\n    ") + ifExecutionRole(),
                                hasSecrets ? createSecret() : "",
                                hasSecrets ? "sed \"s|@PLAN@|$plan|\"" : "cat");
    }

    /** From stdin: what stands on a command line is seen by every process of the machine. */
    private String createSecret() {
        return """
                # When the job is over: aws secretsmanager delete-secret --secret-id %1$s
                plan=$(aws secretsmanager create-secret --name %1$s --query ARN --output text \\
                  --secret-string file:///dev/stdin <<'END_OF_PLAN'
                %2$s
                END_OF_PLAN
                )
                """.formatted(name(), plan.line());
    }

    private String ifExecutionRole() {
        return hasSecrets
                ? "\"executionRoleArn\": %s,\n    ".formatted(quoted(String.valueOf(options.executionRole)))
                : "";
    }

    /** As JSON and YAML write a string. */
    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(c -> {
            if (c == '"' || c == '\\') {
                quoted.append('\\').append((char) c);
            } else if (c < ' ') {
                quoted.append(PlanText.format("\\u%04x", c));
            } else {
                quoted.append((char) c);
            }
        });
        return quoted.append('"').toString();
    }
}
