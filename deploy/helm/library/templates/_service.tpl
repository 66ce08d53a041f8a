{{/* All objects of a service. The chart of a service includes only this. */}}
{{- define "saleschannel.service" -}}
{{- $made := include "saleschannel.context" . | fromYaml -}}
{{- /* A Deployment of the service, or of the process that hosts it. */ -}}
{{- $layout := ternary "all-in-one" "separate" .Values.global.allInOne -}}
{{- if eq ($made.model.layout | default $layout) $layout -}}
{{- $context := dict "root" . "model" $made.model "selector" $made.selector "name" $made.model.name
  "component" "service" "variables" $made.model.variables "secretName" .Values.secretName "args" ($made.model.args | default (list "serve"))
  "resources" .Values.resources -}}
{{- if $made.model.migration }}
{{ include "saleschannel.migration" $context }}
---
{{- end }}
{{ include "saleschannel.account" $context }}
---
{{ include "saleschannel.deployment" $context }}
---
{{ include "saleschannel.address" $context }}
---
{{ include "saleschannel.networkPolicy" $context }}
{{- include "saleschannel.scaling" $context }}
{{- include "saleschannel.podMonitor" $context }}
{{- end -}}
{{- end -}}

{{- define "saleschannel.deployment" -}}
{{- $values := .root.Values -}}
{{- $scales := include "saleschannel.scales" . -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "saleschannel.metadata" . | nindent 2 }}
  {{- if $values.global.reloader }}
  annotations:
    secret.reloader.stakater.com/reload: {{ include "saleschannel.secretNames" . | fromYamlArray | join "," | quote }}
    configmap.reloader.stakater.com/reload: service-public-keys
  {{- end }}
spec:
  {{- if not $scales }}
  replicas: {{ $values.replicas | default $values.global.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  selector:
    matchLabels:
      {{- toYaml .selector | nindent 6 }}
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels:
        {{- include "saleschannel.podLabels" . | nindent 8 }}
        {{- with $values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      annotations:
        kubectl.kubernetes.io/default-container: {{ .name }}
        {{- if not $values.global.monitoring.podMonitors }}
        prometheus.io/scrape: 'true'
        prometheus.io/port: {{ .model.ports.metrics | quote }}
        prometheus.io/path: /metrics
        {{- end }}
        {{- with include "saleschannel.secretMarks" . | trim }}
        {{- . | nindent 8 }}
        {{- end }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ .name }}
      {{- include "saleschannel.podRights" . | nindent 6 }}
      # Five seconds until endpoints are updated, and up to 25 to finish open requests.
      terminationGracePeriodSeconds: 40
      topologySpreadConstraints:
        {{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          # Per release: during a rollout old replicas do not count.
          matchLabelKeys: [pod-template-hash]
          labelSelector:
            matchLabels:
              {{- toYaml $.selector | nindent 14 }}
        {{- end }}
      containers:
        -
          {{- include "saleschannel.container" . | nindent 10 }}
          ports:
            {{- include "saleschannel.ports" . | trim | nindent 12 }}
          {{- include "saleschannel.probes" . | nindent 10 }}
          lifecycle:
            preStop: { sleep: { seconds: 5 } }
      {{- with include "saleschannel.volumes" . | trim }}
      volumes:
        {{- . | nindent 8 }}
      {{- end }}
{{- end -}}

{{/* The registry API has its own port if REGISTRY_PORT is set. */}}
{{- define "saleschannel.registryPort" -}}
{{- if or (eq .model.name "gateway") .model.hosts }}{{ include "saleschannel.setting" (dict "root" .root "name" "REGISTRY_PORT" "default" "") }}{{ end -}}
{{- end -}}

{{- define "saleschannel.ports" -}}
{{- if .model.ports.http }}
- { name: http, containerPort: {{ .model.ports.http }} }
{{- with include "saleschannel.registryPort" . }}
- { name: registry, containerPort: {{ . }} }
{{- end }}
{{- else if .model.hosts }}
{{- range concat .model.hosts.http .model.hosts.grpc }}
- { name: {{ .name }}, containerPort: {{ .port }} }
{{- end }}
{{- with include "saleschannel.registryPort" . }}
- { name: registry, containerPort: {{ . }} }
{{- end }}
- { name: health, containerPort: {{ .model.ports.health }} }
{{- else }}
- { name: grpc, containerPort: {{ .model.ports.grpc }} }
- { name: health, containerPort: {{ .model.ports.health }} }
{{- end }}
- { name: metrics, containerPort: {{ .model.ports.metrics }} }
{{- end -}}

{{- define "saleschannel.probes" -}}
{{- $alive := "httpGet: { path: /healthz, port: http }" -}}
{{- $ready := $alive -}}
{{- if not .model.ports.http -}}
{{- $alive = printf "grpc: { port: %v, service: %s }" .model.ports.health .model.liveness -}}
{{- $ready = printf "grpc: { port: %v }" .model.ports.health -}}
{{- end -}}
{{- if .model.ports.http }}
# A new replica must reach its dependencies, so that a rollout with a wrong setting stops. Later it stays in its Service
# without them and responds with 503 and Retry-After, because a common outage would remove all replicas.
startupProbe:
  httpGet: { path: /readyz, port: http }
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 300
{{- else if .model.hosts }}
# Every hosted service must reach its dependencies, so that a rollout with a wrong setting stops. Later the process stays
# in its Services without them, like a gateway.
startupProbe:
  {{ $ready }}
  periodSeconds: 2
  timeoutSeconds: 3
  failureThreshold: 300
{{- $ready = $alive }}
{{- else }}
# Health of the process alone, which recovers without a restart when its database does.
startupProbe:
  {{ $alive }}
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 60
{{- end }}
livenessProbe:
  {{ $alive }}
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 3
readinessProbe:
  {{ $ready }}
  periodSeconds: 5
  timeoutSeconds: 3
  failureThreshold: 2
{{- end -}}

{{/* Name for programs outside of the process. Clients use the names of the edge services. */}}
{{- define "saleschannel.hostedAddresses" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "saleschannel.metadata" . | nindent 2 }}
spec:
  clusterIP: None
  ports:
    {{- range .model.hosts.grpc }}
    - { name: {{ .name }}, port: {{ .port }}, targetPort: {{ .name }} }
    {{- end }}
  selector:
    {{- toYaml .selector | nindent 4 }}
{{- range .model.hosts.http }}
---
apiVersion: v1
kind: Service
metadata:
  {{- include "saleschannel.metadata" (merge (dict "name" .name) $) | nindent 2 }}
spec:
  ports:
    - { name: http, port: 80, targetPort: {{ .name }} }
    {{- if eq .name "gateway" }}
    {{- with include "saleschannel.registryPort" $ }}
    - { name: registry, port: {{ . }}, targetPort: registry }
    {{- end }}
    {{- end }}
  selector:
    {{- toYaml $.selector | nindent 4 }}
{{- end }}
{{- end -}}

{{- define "saleschannel.address" -}}
{{- if .model.hosts }}{{ include "saleschannel.hostedAddresses" . }}{{ else -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "saleschannel.metadata" . | nindent 2 }}
spec:
  {{- if .model.ports.http }}
  ports:
    - { name: http, port: 80, targetPort: http }
    {{- with include "saleschannel.registryPort" . }}
    - { name: registry, port: {{ . }}, targetPort: registry }
    {{- end }}
  {{- else }}
  # Headless: clients balance calls over all replicas. A connection through a cluster IP would reach one replica.
  clusterIP: None
  ports:
    - { name: grpc, port: {{ .model.ports.grpc }}, targetPort: grpc }
  {{- end }}
  selector:
    {{- toYaml .selector | nindent 4 }}
{{- end -}}
{{- end -}}
