{{/* Not empty: a HorizontalPodAutoscaler decides how many replicas there are. */}}
{{- define "saleschannel.scales" -}}
{{- if and .root.Values.global.autoscaling .root.Values.autoscaling.enabled }}yes{{ end -}}
{{- end -}}

{{- define "saleschannel.scaling" -}}
{{- $values := .root.Values -}}
{{- $scales := include "saleschannel.scales" . -}}
{{- $replicas := $values.replicas | default $values.global.replicas | int -}}
{{- if $scales }}{{ $replicas = $values.autoscaling.minReplicas | int }}{{ end -}}
{{- /* Of one replica a budget would keep a node from being emptied. */ -}}
{{- if gt $replicas 1 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "saleschannel.metadata" . | nindent 2 }}
spec:
  minAvailable: 1
  # One that is not ready, for its database is away, does not keep its node from being emptied.
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
    # A new replica has its share within ten seconds, so that what is missing shows soon.
    scaleUp:
      stabilizationWindowSeconds: 0
      policies: [{ type: Percent, value: 100, periodSeconds: 30 }]
    # Those that leave finish what they have. One at a time, when it has been quiet for long.
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
      # Alerts and dashboards know a service by this label. Its samples have it, and "up" gets it here.
      honorLabels: true
      relabelings:
        - sourceLabels: [__meta_kubernetes_pod_label_app_kubernetes_io_name]
          targetLabel: service_name
{{- end }}
{{- end }}
{{- end -}}
