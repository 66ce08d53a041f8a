{{/* Value of a setting: the service's, the installation's, or the default. Empty: the program's default. */}}
{{- define "saleschannel.setting" -}}
{{- $own := get (.root.Values.settings | default dict) .name -}}
{{- $common := get (.root.Values.global.settings | default dict) .name -}}
{{- $own | default $common | default .default | default "" -}}
{{- end -}}

{{/* Names and URLs of the installation, unless a setting has them. */}}
{{- define "saleschannel.ownHosts" -}}
{{- $publish := .root.Values.global.publish -}}
{{- $hosts := list $publish.api.host $publish.portal.host -}}
{{- range list "PORTAL_URL" "CONSOLE_URL" }}
{{- $hosts = append $hosts (include "saleschannel.setting" (dict "root" $.root "name" .)) }}
{{- end -}}
{{- include "saleschannel.setting" (dict "root" .root "name" .name "default" (compact $hosts | join ",")) -}}
{{- end -}}

{{/* Secret and key of a variable. */}}
{{- define "saleschannel.secretOf" -}}
{{- $other := get (.root.Values.secrets | default dict) .variable.name | default dict -}}
{{- $held := .variable -}}
{{- $name := $other.name | default $held.of | default .secretName -}}
{{- dict "name" $name "key" ($other.key | default $held.key | default $held.name) | toYaml -}}
{{- end -}}

{{- define "saleschannel.secretFolder" -}}/var/run/secrets/saleschannel/values{{- end -}}
{{- define "saleschannel.tlsFolder" -}}/var/run/secrets/saleschannel/tls{{- end -}}

{{/* Not empty if the installation has a private CA for the database or the broker. */}}
{{- define "saleschannel.authority" -}}
{{- (get .root.Values.global .of).caSecret.name -}}
{{- end -}}

{{/* Settings are in the pod, so that a change restarts only their readers. */}}
{{- define "saleschannel.env" -}}
{{- $context := . -}}
{{- range .variables }}
{{- if eq .from "value" }}
- { name: {{ .name }}, value: {{ .value | quote }} }
{{- else if eq .from "address" }}
{{- $address := ternary (.allInOne | default .value) .value $context.root.Values.global.allInOne }}
- { name: {{ .name }}, value: {{ $address | quote }} }
{{- else if eq .from "secret" }}
- { name: {{ .name }}_FILE, value: {{ include "saleschannel.secretFolder" $ }}/{{ .name }} }
{{- else if eq .from "public-keys" }}
- { name: {{ .name }}, valueFrom: { configMapKeyRef: { name: service-public-keys, key: {{ .name }} } } }
{{- else if eq .from "tls" }}
- { name: {{ .name }}, value: {{ include "saleschannel.tlsFolder" $ }}/{{ .file }} }
{{- else if eq .from "authority" }}
{{- if include "saleschannel.authority" (dict "root" $context.root "of" .of) }}
- { name: {{ .name }}, value: /var/run/secrets/saleschannel/{{ .of }}-ca/ca.crt }
{{- end }}
{{- else if eq .from "own-hosts" }}
{{- $value := include "saleschannel.ownHosts" (dict "root" $context.root "name" .name) }}
{{- if $value }}
- { name: {{ .name }}, value: {{ $value | quote }} }
{{- end }}
{{- else if eq .from "setting" }}
{{- $value := include "saleschannel.setting" (dict "root" $context.root "name" .name "default" .default) }}
{{- if $value }}
- { name: {{ .name }}, value: {{ $value | quote }} }
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "saleschannel.mounts" -}}
{{- $context := . -}}
{{- $from := list -}}
{{- range .variables }}{{ $from = append $from .from }}{{ end -}}
{{- if has "secret" $from }}
- { name: secrets, mountPath: {{ include "saleschannel.secretFolder" . }}, readOnly: true }
{{- end }}
{{- if has "tls" $from }}
- { name: tls, mountPath: {{ include "saleschannel.tlsFolder" . }}, readOnly: true }
{{- end }}
{{- range .variables }}
{{- if and (eq .from "authority") (include "saleschannel.authority" (dict "root" $context.root "of" .of)) }}
- { name: {{ .of }}-ca, mountPath: /var/run/secrets/saleschannel/{{ .of }}-ca, readOnly: true }
{{- end }}
{{- end }}
{{- with .claim }}
- { name: {{ .name }}, mountPath: {{ .mountPath }} }
{{- end }}
{{- end -}}

{{- define "saleschannel.volumes" -}}
{{- $context := . -}}
{{- $secrets := list -}}
{{- $from := list -}}
{{- range .variables }}
{{- $from = append $from .from }}
{{- if eq .from "secret" }}
{{- $held := include "saleschannel.secretOf" (dict "root" $context.root "variable" . "secretName" $context.secretName) | fromYaml }}
{{- $secrets = append $secrets (dict "variable" .name "name" $held.name "key" $held.key) }}
{{- end }}
{{- end }}
{{- if $secrets }}
- name: secrets
  projected:
    # 0440: readable by root and the group of the process.
    defaultMode: 288
    sources:
      {{- range $secrets }}
      - secret: { name: {{ .name }}, items: [{ key: {{ .key }}, path: {{ .variable }} }] }
      {{- end }}
{{- end }}
{{- if has "tls" $from }}
# Certificate of the program, from any issuer. It may be renewed while the pod runs.
- name: tls
  {{- if .model.tlsSecrets }}
  projected:
    defaultMode: 288
    sources:
      {{- range $secret := .model.tlsSecrets }}
      - secret:
          name: {{ $secret }}
          items:
            {{- range list "tls.crt" "tls.key" "ca.crt" }}
            - { key: {{ . }}, path: {{ $secret }}/{{ . }} }
            {{- end }}
      {{- end }}
  {{- else }}
  secret: { secretName: {{ .model.tlsSecret }}, defaultMode: 288 }
  {{- end }}
{{- end }}
{{- range .variables }}
{{- if and (eq .from "authority") (include "saleschannel.authority" (dict "root" $context.root "of" .of)) }}
{{- $authority := (get $context.root.Values.global .of).caSecret }}
- name: {{ .of }}-ca
  secret: { secretName: {{ $authority.name }}, items: [{ key: {{ $authority.key }}, path: ca.crt }] }
{{- end }}
{{- end }}
{{- with .claim }}
- name: {{ .name }}
  persistentVolumeClaim: { claimName: {{ .claimName }} }
{{- end }}
{{- end -}}

{{/* Without an account of the cluster and without root. */}}
{{- define "saleschannel.podRights" -}}
automountServiceAccountToken: false
# Kubernetes would set variables such as GATEWAY_PORT to addresses of its Services.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.global.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- with .root.Values.priorityClassName | default .root.Values.global.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "saleschannel.containerRights" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end -}}

{{/* Container without ports and probes. */}}
{{- define "saleschannel.container" -}}
name: {{ .model.name }}
image: {{ include "saleschannel.image" . }}
imagePullPolicy: {{ .root.Values.global.image.pullPolicy }}
args: {{ toJson .args }}
env:
  {{- include "saleschannel.env" . | trim | nindent 2 }}
{{- with include "saleschannel.mounts" . | trim }}
volumeMounts:
  {{- . | nindent 2 }}
{{- end }}
resources:
  {{- toYaml .resources | nindent 2 }}
{{ include "saleschannel.containerRights" . }}
{{- end -}}

{{/*
Restarts a pod after a change of its secrets. Helm reads them in the cluster. "helm template" and Argo CD need a new
"secretsVersion", or Reloader.
*/}}
{{- define "saleschannel.secretMarks" -}}
{{- $context := . -}}
{{- $seen := "" -}}
{{- $names := include "saleschannel.secretNames" . | fromYamlArray -}}
{{- range $names }}
{{- with (lookup "v1" "Secret" $context.root.Release.Namespace .) }}{{ $seen = print $seen (toJson .data) }}{{ end }}
{{- end }}
{{- with (lookup "v1" "ConfigMap" $context.root.Release.Namespace "service-public-keys") }}
{{- $seen = print $seen (toJson .data) }}
{{- end }}
{{- with $seen }}
checksum/secrets: {{ sha256sum . }}
{{- end }}
{{- with .root.Values.secretsVersion | default .root.Values.global.secretsVersion }}
saleschannel/secrets-version: {{ . | quote }}
{{- end }}
{{- end -}}

{{/* Without TLS files, which running programs read again. */}}
{{- define "saleschannel.secretNames" -}}
{{- $context := . -}}
{{- $names := list -}}
{{- range .variables }}
{{- if eq .from "secret" }}
{{- $held := include "saleschannel.secretOf" (dict "root" $context.root "variable" . "secretName" $context.secretName) | fromYaml }}
{{- $names = append $names $held.name }}
{{- else if and (eq .from "authority") (include "saleschannel.authority" (dict "root" $context.root "of" .of)) }}
{{- $names = append $names (get $context.root.Values.global .of).caSecret.name }}
{{- end }}
{{- end }}
{{- $names | uniq | toYaml -}}
{{- end -}}
