{{/*
Peers of a program in both directions. Each program has a complete policy, so that a service can be installed alone.
"to" and "ports" of external peers are values of the installation.
*/}}
{{- define "saleschannel.networkPolicy" -}}
{{- $network := .root.Values.global.network -}}
{{- $isAllInOne := .root.Values.global.allInOne -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "saleschannel.metadata" . | nindent 2 }}
spec:
  podSelector:
    matchLabels:
      {{- toYaml .selector | nindent 6 }}
  policyTypes: [Ingress, Egress]
  ingress:
    {{- if .model.hosts }}
    # Only the ingress controller: its client addresses are trusted (TRUSTED_PROXIES).
    - from:
        {{- toYaml $network.ingress.from | nindent 8 }}
      ports:
        {{- range .model.hosts.http }}
        - port: {{ .name }}
        {{- end }}
        {{- if include "saleschannel.registryPort" . }}
        - port: registry
        {{- end }}
    - from:
        {{- include "saleschannel.programs" .model.apiCallers | nindent 8 }}
      ports: [{ port: gateway }]
    - from:
        {{- include "saleschannel.programs" .model.callers | nindent 8 }}
      ports:
        {{- range .model.hosts.grpc }}
        - port: {{ .name }}
        {{- end }}
    {{- else if .model.ports.http }}
    {{- if .model.isPublished }}
    # Only the ingress controller: its client addresses are trusted (TRUSTED_PROXIES).
    - from:
        {{- toYaml $network.ingress.from | nindent 8 }}
      ports: [{ port: http }{{ if include "saleschannel.registryPort" . }}, { port: registry }{{ end }}]
    {{- else }}
    # No peer. Operators use "kubectl port-forward", which the cluster authorizes.
    {{- end }}
    {{- with .model.apiCallers }}
    - from:
        {{- include "saleschannel.programs" . | nindent 8 }}
      ports: [{ port: http }]
    {{- end }}
    {{- else }}
    - from:
        {{- $callers := ternary (.model.callersOfAllInOne | default .model.callers) .model.callers $isAllInOne }}
        {{- include "saleschannel.programs" $callers | nindent 8 }}
      ports: [{ port: grpc }]
    {{- end }}
    # Prometheus.
    - from:
        {{- toYaml $network.monitoring.from | nindent 8 }}
      ports: [{ port: metrics }]
  egress:
    {{- include "saleschannel.waysOut" (dict "root" .root "model" .model "ways" .model.ways) | trim | nindent 4 }}
{{- end -}}

{{/* Policy of a command. */}}
{{- define "saleschannel.outwardPolicy" -}}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  {{- include "saleschannel.metadata" . | nindent 2 }}
  {{- with .annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  podSelector:
    matchLabels:
      app.kubernetes.io/name: {{ .name }}
      app.kubernetes.io/component: {{ .component }}
  policyTypes: [Ingress, Egress]
  egress:
    {{- include "saleschannel.waysOut" . | trim | nindent 4 }}
{{- end -}}

{{- define "saleschannel.programs" -}}
{{- range $index, $name := . }}
{{- if $index }}{{ "\n" }}{{ end -}}
- podSelector: { matchLabels: { app.kubernetes.io/name: {{ $name }} } }
{{- end }}
{{- end -}}

{{- define "saleschannel.waysOut" -}}
{{- $network := .root.Values.global.network -}}
{{- $isAllInOne := .root.Values.global.allInOne -}}
# Names.
- to:
    {{- toYaml $network.dns.to | nindent 4 }}
    {{- with $network.dns.nodeLocalAddress }}
    - ipBlock: { cidr: {{ . }}/{{ contains ":" . | ternary 128 32 }} }
    {{- end }}
  ports: [{ port: 53, protocol: UDP }, { port: 53, protocol: TCP }]
{{- if and .model.asksApi (has "services" .ways) }}
- to:
    {{- include "saleschannel.programs" (list (ternary "all-in-one" "gateway" $isAllInOne)) | nindent 4 }}
  ports: [{ port: {{ .model.asksApi }} }]
{{- end }}
{{- if and $isAllInOne .model.hostedPorts (has "services" .ways) }}
- to:
    {{- include "saleschannel.programs" (list "all-in-one") | nindent 4 }}
  ports:
    {{- range .model.hostedPorts }}
    - port: {{ . }}
    {{- end }}
{{- else if and .model.callees (has "services" .ways) }}
- to:
    {{- include "saleschannel.programs" .model.callees | nindent 4 }}
  ports: [{ port: {{ .model.calleePort }} }]
{{- end }}
{{- range .ways }}
{{- if ne . "services" }}
{{- $way := get $network . }}
# {{ . }}
- to:
    {{- toYaml $way.to | nindent 4 }}
  {{- with $way.ports }}
  ports:
    {{- range . }}
    - port: {{ . }}
    {{- end }}
  {{- end }}
{{- end }}
{{- end }}
{{- end -}}
