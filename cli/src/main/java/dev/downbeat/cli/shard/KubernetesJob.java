package dev.downbeat.cli.shard;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A Kubernetes Indexed Job that a namespace with the pod security standard "restricted" admits; the group of the user of
 * our image may write to a fresh volume. One shard that fails must not end the others, and none is started again: hence a limit for
 * each index.
 */
public final class KubernetesJob {
    private KubernetesJob() {}

    /** What {@code kubectl apply -f} takes. */
    public static String of(EngineJob job) {
        String kind = job.hasSecrets() ? "Secret" : "ConfigMap";
        List<EngineFile> travelling = EngineFile.read(job.files());
        StringBuilder contents = new StringBuilder();
        StringBuilder mounts = new StringBuilder();
        for (int i = 0; i < travelling.size(); i++) {
            contents.append("  file-%d: %s\n".formatted(i, travelling.get(i).base64()));
            mounts.append("            - { name: files, mountPath: %s, subPath: file-%d, readOnly: true }\n"
                    .formatted(EngineJob.quoted(travelling.get(i).place()), i));
        }
        boolean isAlone = travelling.isEmpty();
        String source = job.hasSecrets() ? "secret: { secretName: %s }" : "configMap: { name: %s }";
        return job.head()
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
                        job.whenOver(),
                        kind,
                        job.name(),
                        job.hasSecrets() ? "stringData" : "data",
                        job.plan()
                                .text()
                                .lines()
                                .map(line -> "    " + line + "\n")
                                .collect(Collectors.joining()),
                        isAlone
                                ? ""
                                : "apiVersion: v1\nkind: Secret\nmetadata:\n  name: %s-files\ndata:\n%s---\n"
                                        .formatted(job.name(), contents),
                        job.name(),
                        job.name(),
                        job.plan().shards(),
                        job.plan().shards(),
                        job.deadlineSeconds(),
                        job.name(),
                        !job.ifRole("%s").isEmpty(), // a pod asks its cluster nothing, unless it has a role
                        job.ifRole("      serviceAccountName: %s\n"),
                        job.name(),
                        EngineJob.quoted(job.options().image),
                        isAlone ? "" : "          workingDir: " + EngineFile.FOLDER + "\n",
                        EngineJob.quoted(job.resultFile()),
                        job.start(),
                        job.options().cpus,
                        job.options().memory,
                        job.options().cpus,
                        job.options().memory,
                        mounts,
                        job.ifVolume("            - { name: results, mountPath: %1$s }\n"),
                        source.formatted(job.name()),
                        isAlone
                                ? ""
                                : "        - name: files\n          secret: { secretName: " + job.name() + "-files }\n",
                        job.ifVolume(
                                "        - name: results\n          persistentVolumeClaim: { claimName: %2$s }\n"));
    }
}
