// Jobs: the migrations of a service, the admin command and the auditor.
import { ADMIN, AUDITOR, type ServiceName } from '@saleschannel/installation';
import { indented } from '../manifest-text.ts';
import {
  containerRights,
  labelsOf,
  podRights,
  resources,
  tlsMount,
  tlsVolume,
  variablesOfContainer,
  variablesOfMigration,
} from './pods.ts';

/** Brings the schema of a service up to date. */
export const migrationJob = (service: ServiceName): string => `\
apiVersion: batch/v1
kind: Job
metadata:
  name: migrate-${service}
  labels: &labels ${labelsOf(`migrate-${service}`, 'migration')}
  annotations:
    # For Argo CD. With kubectl alone see docs/operations.md.
    argocd.argoproj.io/hook: Sync
    argocd.argoproj.io/hook-delete-policy: BeforeHookCreation
    argocd.argoproj.io/sync-wave: '-1'
spec:
  backoffLimit: 3
  activeDeadlineSeconds: 1800
  # A wrong environment stays wrong: it is not tried again.
  podFailurePolicy:
    rules:
      - action: FailJob
        onExitCodes: { containerName: ${service}, operator: In, values: [78] }
  template:
    metadata:
      labels: *labels
    spec:
      serviceAccountName: migrations
${indented(podRights, 6)}
      restartPolicy: Never
      containers:
        - name: ${service}
          image: saleschannel/${service}
          args: [migrate]
          env:
${indented(variablesOfMigration(service), 12)}
${indented(resources('100m', { request: 128, limit: 512 }), 10)}
${indented(containerRights, 10)}
`;

/** An example that runs the admin command once. */
export const adminJob = (): string => `\
# The admin command, once. Copy this file, change "args" to the command that you want, create the job and read its log:
#   kubectl create -f admin.yaml
apiVersion: batch/v1
kind: Job
metadata:
  generateName: ${ADMIN}-
  namespace: saleschannel
  labels: &labels ${labelsOf(ADMIN, ADMIN)}
spec:
  backoffLimit: 0
  # Its log may hold the secret of a new key, so it is deleted soon.
  ttlSecondsAfterFinished: 600
  template:
    metadata:
      labels: *labels
    spec:
${indented(podRights, 6)}
      restartPolicy: Never
      containers:
        - name: ${ADMIN}
          image: saleschannel/${ADMIN}:local
          args: [list-sales-channels]
          env:
${indented(variablesOfContainer(ADMIN), 12)}
${indented(tlsMount, 10)}
${indented(resources('50m', { request: 96, limit: 256 }), 10)}
${indented(containerRights, 10)}
${indented(tlsVolume(ADMIN), 6)}
`;

/** Compares the databases with each other every night. A run that finds something fails, and its log says what. */
export const auditJob = (): string => `\
apiVersion: batch/v1
kind: CronJob
metadata:
  name: ${AUDITOR}
  labels: &labels ${labelsOf(AUDITOR, AUDITOR)}
spec:
  schedule: '17 3 * * *'
  concurrencyPolicy: Forbid
  successfulJobsHistoryLimit: 3
  failedJobsHistoryLimit: 7
  jobTemplate:
    metadata:
      labels: *labels
    spec:
      # What was found once is found again: it is told once.
      backoffLimit: 0
      activeDeadlineSeconds: 14400
      template:
        metadata:
          labels: *labels
        spec:
${indented(podRights, 10)}
          restartPolicy: Never
          containers:
            - name: ${AUDITOR}
              image: saleschannel/${AUDITOR}
              args: [--json]
              env:
${indented(variablesOfContainer(AUDITOR), 16)}
${indented(resources('100m', { request: 128, limit: 512 }), 14)}
${indented(containerRights, 14)}
`;
