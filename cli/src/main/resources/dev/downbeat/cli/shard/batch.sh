#!/bin/sh
{{HEAD}}
{{WHEN_OVER}}
set -eu
start=${DOWNBEAT_START_AT:-{{START}}}
?SECRET # When the job is over: aws secretsmanager delete-secret --secret-id {{NAME}}
?SECRET plan=$(aws secretsmanager create-secret --name {{NAME}} --query ARN --output text \
?SECRET   --secret-string file:///dev/stdin <<'END_OF_PLAN'
?SECRET {{PLAN_LINE}}
?SECRET END_OF_PLAN
?SECRET )
?SECRET aws batch register-job-definition --cli-input-json "$(sed "s|@PLAN@|$plan|" <<'END_OF_DEFINITION'
?OPEN aws batch register-job-definition --cli-input-json "$(cat <<'END_OF_DEFINITION'
{
  "jobDefinitionName": "{{NAME}}",
  "type": "container",
  "retryStrategy": { "attempts": 1 },
  "containerProperties": {
    "image": {{IMAGE}},
?ROLE     "jobRoleArn": {{ROLE}},
?SECRET     "executionRoleArn": {{EXECUTION_ROLE}},
    "command": ["run", "--plan", "env:DOWNBEAT_PLAN", "-q", "-o", {{RESULT}}],
?SECRET     "secrets": [{ "name": "DOWNBEAT_PLAN", "valueFrom": "@PLAN@" }],
?OPEN     "environment": [{ "name": "DOWNBEAT_PLAN", "value": {{PLAN_QUOTED}} }],
?VOLUME     "mountPoints": [{ "sourceVolume": "results", "containerPath": "{{RESULTS}}", "readOnly": false }],
?VOLUME     "volumes": [{ "name": "results", "efsVolumeConfiguration": { "fileSystemId": {{VOLUME}} } }],
    "resourceRequirements": [
      { "type": "VCPU", "value": "{{CPUS}}" },
      { "type": "MEMORY", "value": "{{MEBIBYTES}}" }
    ]
  }
}
END_OF_DEFINITION
)"
aws batch submit-job --job-name {{NAME}} --job-queue {{QUEUE}} --job-definition {{NAME}}{{ARRAY}} \
  --container-overrides "environment=[{name=DOWNBEAT_START_AT,value=$start}]"
