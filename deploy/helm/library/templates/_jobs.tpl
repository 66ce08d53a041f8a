{{/*
Migrates the schema of a service before its new replicas start. With Helm these are hooks. With Argo CD they belong to
the waves of the synchronization: a hook of an earlier phase would wait for Secrets of this phase. The account and the
policy come first in both.
*/}}
{{- define "saleschannel.migration" -}}
{{- $name := printf "migrate-%s" .model.name -}}
{{- $before := dict "helm.sh/hook" "pre-install,pre-upgrade" "helm.sh/hook-weight" "-10"
  "helm.sh/hook-delete-policy" "before-hook-creation" "argocd.argoproj.io/hook" "Sync"
  "argocd.argoproj.io/hook-delete-policy" "BeforeHookCreation" "argocd.argoproj.io/sync-wave" "-2" -}}
{{- $values := .root.Values.migration -}}
{{- $context := dict "root" .root "model" .model "name" $name "component" "migration"
  "variables" .model.migration.variables "secretName" $values.secretName "args" (list "migrate")
  "resources" $values.resources "ways" (list "database") "annotations" $before -}}
{{ include "saleschannel.account" $context }}
---
{{ include "saleschannel.outwardPolicy" $context }}
---
apiVersion: batch/v1
kind: Job
metadata:
  {{- include "saleschannel.metadata" $context | nindent 2 }}
  annotations:
    helm.sh/hook: pre-install,pre-upgrade
    helm.sh/hook-weight: '0'
    helm.sh/hook-delete-policy: before-hook-creation
    argocd.argoproj.io/hook: Sync
    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation
    argocd.argoproj.io/sync-wave: '-1'
spec:
  backoffLimit: 3
  activeDeadlineSeconds: 1800
  # Retrying does not fix a wrong environment.
  podFailurePolicy:
    rules:
      - action: FailJob
        onExitCodes: { containerName: {{ .model.name }}, operator: In, values: [78] }
  template:
    metadata:
      labels:
        {{- include "saleschannel.podLabels" $context | nindent 8 }}
    spec:
      {{- include "saleschannel.oncePod" $context | nindent 6 }}
{{- end -}}

{{/* Pod of a job. */}}
{{- define "saleschannel.oncePod" -}}
serviceAccountName: {{ .name }}
{{ include "saleschannel.podRights" . }}
restartPolicy: Never
containers:
  -
    {{- include "saleschannel.container" . | nindent 4 }}
{{- with include "saleschannel.volumes" . | trim }}
volumes:
  {{- . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "saleschannel.jobContext" -}}
{{- $made := include "saleschannel.context" . | fromYaml -}}
{{- dict "model" $made.model "name" $made.model.name "component" $made.model.component "variables" $made.model.variables
  "secretName" .Values.secretName "resources" .Values.resources "ways" $made.model.ways | toYaml -}}
{{- end -}}

{{/*
Compares the databases with each other every night, and the audit trails with the heads that the previous run stored on a
volume. A run with findings fails and logs them.
*/}}
{{- define "saleschannel.auditor" -}}
{{- $context := merge (dict "root" . "args" (list "--json")) (include "saleschannel.jobContext" . | fromYaml) -}}
{{- with .Values.anchors -}}
{{- if eq .by "claim" -}}
{{- $_ := set $context "args" (list "--json" "--anchors" (printf "/anchors/%s" .file)) -}}
{{- $_ := set $context "claim" (dict "name" "anchors" "mountPath" "/anchors" "claimName" .claim) -}}
{{- end -}}
{{- end -}}
{{ include "saleschannel.account" $context }}
---
{{ include "saleschannel.outwardPolicy" $context }}
---
apiVersion: batch/v1
kind: CronJob
metadata:
  {{- include "saleschannel.metadata" $context | nindent 2 }}
spec:
  schedule: {{ .Values.schedule | quote }}
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 7
  jobTemplate:
    metadata:
      labels:
        {{- include "saleschannel.labels" $context | nindent 8 }}
    spec:
      # A repeated run would report the same findings.
      backoffLimit: 0
      activeDeadlineSeconds: 14400
      template:
        metadata:
          labels:
            {{- include "saleschannel.podLabels" $context | nindent 12 }}
        spec:
          {{- include "saleschannel.oncePod" $context | nindent 10 }}
{{- end -}}

{{/* Account and policy of the admin command, which a job of the same chart runs. */}}
{{- define "saleschannel.admin" -}}
{{- $context := merge (dict "root" . "args" .Values.args) (include "saleschannel.jobContext" . | fromYaml) -}}
{{ include "saleschannel.account" $context }}
---
{{ include "saleschannel.outwardPolicy" $context }}
{{- end -}}

{{- define "saleschannel.adminJob" -}}
{{- $context := merge (dict "root" . "args" .Values.args) (include "saleschannel.jobContext" . | fromYaml) -}}
apiVersion: batch/v1
kind: Job
metadata:
  generateName: admin-
  namespace: {{ .Release.Namespace }}
  labels:
    {{- include "saleschannel.labels" $context | nindent 4 }}
spec:
  backoffLimit: 0
  # Deleted soon, because its log may contain the secret of a new key.
  ttlSecondsAfterFinished: 600
  template:
    metadata:
      labels:
        {{- include "saleschannel.podLabels" $context | nindent 8 }}
    spec:
      {{- include "saleschannel.oncePod" $context | nindent 6 }}
{{- end -}}
