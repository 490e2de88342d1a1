package dev.downbeat.cli;

import dev.downbeat.report.PlanFile;
import java.time.Instant;
import java.util.stream.Collectors;

/**
 * A plan wrapped for an engine that starts copies of a process: what is printed can be applied as it is.
 *
 * @param plan what all of them run
 * @param options what each of them gets
 * @param start when all of them begin
 * @param hasSecrets whether the plan's words hold what is nobody's business
 */
record EngineJob(PlanFile plan, EngineOptions options, Instant start, boolean hasSecrets) {
    private static final String RESULTS = "/results";

    String name() {
        return options.name != null ? options.name : "downbeat-" + plan.id();
    }

    private String resultFile() {
        return RESULTS + "/" + name() + "-" + OutputFile.SHARD + ".downbeat";
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
     * A Kubernetes Indexed Job. One shard that fails must not end the others, and none is started again: hence a limit for
     * each index.
     */
    String kubernetes() {
        String kind = hasSecrets ? "Secret" : "ConfigMap";
        String source = hasSecrets ? "secret: { secretName: %s }" : "configMap: { name: %s }";
        return head()
                + """
                # When the job is over, where the volume is mounted: downbeat merge %s/%s-*.downbeat
                apiVersion: v1
                kind: %s
                metadata:
                  name: %s
                %s:
                  plan.json: |
                %s---
                apiVersion: batch/v1
                kind: Job
                metadata:
                  name: %s
                  labels: { app.kubernetes.io/name: downbeat, app.kubernetes.io/instance: %s }
                spec:
                  completionMode: Indexed
                  completions: %d
                  parallelism: %d
                  backoffLimitPerIndex: 0
                  template:
                    metadata:
                      labels: { app.kubernetes.io/name: downbeat, app.kubernetes.io/instance: %s }
                    spec:
                      restartPolicy: Never
                      topologySpreadConstraints:
                        - maxSkew: 1
                          topologyKey: kubernetes.io/hostname
                          whenUnsatisfiable: ScheduleAnyway
                          labelSelector:
                            matchLabels: { app.kubernetes.io/instance: %s }
                      containers:
                        - name: downbeat
                          image: %s
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
                            - { name: results, mountPath: %s }
                      volumes:
                        - name: plan
                          %s
                        - name: results
                          persistentVolumeClaim: { claimName: %s }
                """.formatted(
                        RESULTS,
                        name(),
                        kind,
                        name(),
                        hasSecrets ? "stringData" : "data",
                        plan.text().lines().map(line -> "    " + line + "\n").collect(Collectors.joining()),
                        name(),
                        name(),
                        plan.shards(),
                        plan.shards(),
                        name(),
                        name(),
                        quoted(options.image),
                        quoted(resultFile()),
                        start,
                        options.cpus,
                        options.memory,
                        options.cpus,
                        options.memory,
                        RESULTS,
                        source.formatted(name()),
                        quoted(String.valueOf(options.volume)));
    }

    /** A script for a Slurm job array. */
    String slurm() {
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

    /** A script that submits an array job to AWS Batch. */
    String awsBatch() {
        String array = plan.shards() == 1 ? "" : " --array-properties size=" + plan.shards();
        return "#!/bin/sh\n" + head()
                + """
                # When the job is over, where the file system is mounted: downbeat merge %1$s-*.downbeat
                set -eu
                start=${DOWNBEAT_START_AT:-%2$s}
                aws batch register-job-definition --cli-input-json "$(cat <<'END_OF_DEFINITION'
                {
                  "jobDefinitionName": "%1$s",
                  "type": "container",
                  "retryStrategy": { "attempts": 1 },
                  "containerProperties": {
                    "image": %3$s,
                    "command": ["run", "--plan", "env:DOWNBEAT_PLAN", "-q", "-o", %4$s],
                    "environment": [{ "name": "DOWNBEAT_PLAN", "value": %5$s }],
                    "resourceRequirements": [
                      { "type": "VCPU", "value": "%6$d" },
                      { "type": "MEMORY", "value": "%7$d" }
                    ],
                    "mountPoints": [{ "sourceVolume": "results", "containerPath": "%8$s", "readOnly": false }],
                    "volumes": [{ "name": "results", "efsVolumeConfiguration": { "fileSystemId": %9$s } }]
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
                                quoted(plan.line()),
                                options.cpus,
                                options.memoryMebibytes(),
                                RESULTS,
                                quoted(String.valueOf(options.volume)),
                                "'" + String.valueOf(options.queue).replace("'", "'\\''") + "'",
                                array);
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
