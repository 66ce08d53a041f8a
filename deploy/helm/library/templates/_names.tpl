{{/* Context of templates: "root" is the chart's, "model" follows from deploy/installation. */}}
{{- define "saleschannel.context" -}}
{{- $model := .Files.Get "model.yaml" | fromYaml -}}
{{- $selector := dict "app.kubernetes.io/name" $model.name "app.kubernetes.io/component" $model.component -}}
{{- dict "model" $model "selector" $selector | toYaml -}}
{{- end -}}

{{/* Labels of a pod, without those that change independently of the program and would restart it. */}}
{{- define "saleschannel.podLabels" -}}
app.kubernetes.io/name: {{ .name }}
app.kubernetes.io/part-of: saleschannel
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- end -}}

{{- define "saleschannel.labels" -}}
{{ include "saleschannel.podLabels" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{/* Name, namespace and labels of an object. Names do not depend on the release, because programs use them. */}}
{{- define "saleschannel.metadata" -}}
name: {{ .name }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "saleschannel.labels" . | nindent 2 }}
{{- end -}}

{{- define "saleschannel.account" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "saleschannel.metadata" . | nindent 2 }}
  {{- with .annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end -}}

{{/* Image of the service's version, unless a registry, tag or digest is set. */}}
{{- define "saleschannel.image" -}}
{{- $image := .root.Values.image -}}
{{- $global := .root.Values.global.image -}}
{{- $repository := $image.repository | default (printf "saleschannel/%s" .model.image) -}}
{{- if and $global.registry (not $image.repository) }}{{ $repository = printf "%s/%s" $global.registry $repository }}{{ end -}}
{{- if $image.digest -}}
{{ $repository }}@{{ $image.digest }}
{{- else -}}
{{ $repository }}:{{ $image.tag | default $global.tag | default .root.Chart.AppVersion }}
{{- end -}}
{{- end -}}
