{{/* Not empty if a HorizontalPodAutoscaler sets the number of replicas. */}}
{{- define "saleschannel.scales" -}}
{{- if and .root.Values.global.autoscaling .root.Values.autoscaling.enabled }}yes{{ end -}}
{{- end -}}

{{- define "saleschannel.scaling" -}}
{{- $values := .root.Values -}}
{{- $scales := include "saleschannel.scales" . -}}
{{- $replicas := $values.replicas | default $values.global.replicas | int -}}
{{- if $scales }}{{ $replicas = $values.autoscaling.minReplicas | int }}{{ end -}}
{{- /* A budget of a single replica would block draining its node. */ -}}
{{- if gt $replicas 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "saleschannel.metadata" . | nindent 2 }}
spec:
  minAvailable: 1
  # A replica that is not ready, because its database is down, does not block draining its node.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- toYaml .selector | nindent 6 }}
{{- end }}
{{- if $scales }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "saleschannel.metadata" . | nindent 2 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ .name }} }
  minReplicas: {{ $values.autoscaling.minReplicas }}
  maxReplicas: {{ $values.autoscaling.maxReplicas }}
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: {{ $values.autoscaling.cpuPercent }} } }
  behavior:
    # A new replica takes its share within ten seconds, so the need for more shows soon.
    scaleUp:
      stabilizationWindowSeconds: 0
      policies: [{ type: Percent, value: 100, periodSeconds: 30 }]
    # One at a time, after a long quiet period. A stopping replica finishes its requests.
    scaleDown:
      stabilizationWindowSeconds: 300
      policies: [{ type: Pods, value: 1, periodSeconds: 60 }]
{{- end }}
{{- end -}}

{{- define "saleschannel.podMonitor" -}}
{{- with .root.Values.global.monitoring }}
{{- if .podMonitors }}
---
apiVersion: monitoring.coreos.com/v1
kind: PodMonitor
metadata:
  {{- include "saleschannel.metadata" $ | nindent 2 }}
    {{- with .labels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  selector:
    matchLabels:
      {{- toYaml $.selector | nindent 6 }}
  podTargetLabels: [app.kubernetes.io/name, app.kubernetes.io/version]
  podMetricsEndpoints:
    - port: metrics
      path: /metrics
      interval: {{ .interval }}
      # Label of services in alerts and dashboards. Samples have it; "up" gets it here.
      honorLabels: true
      relabelings:
        - sourceLabels: [__meta_kubernetes_pod_label_app_kubernetes_io_name]
          targetLabel: service_name
{{- end }}
{{- end }}
{{- end -}}
