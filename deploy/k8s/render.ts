// The manifests that follow from the services of deploy/installation.
import {
  AUDITOR,
  databaseServices,
  NAMESPACE,
  productionServices,
  sandboxServices,
  variablesReadBy,
  type Source,
} from '@saleschannel/installation';
import { comment, GENERATED } from '../manifest-text.ts';
import { egressPolicies } from './egress.ts';
import { adminJob, auditJob, migrationJob } from './jobs.ts';
import { isAlwaysSet } from './pods.ts';
import { serviceManifests } from './service-manifests.ts';

/** Texts of files, by path from this folder. */
export function kubernetesFiles(): Record<string, string> {
  const names = productionServices.map(({ name }) => name);
  const files: Record<string, string> = {
    'config/settings.yaml': settings(),
    'config/egress.yaml': egressPolicies(),
    'base/kustomization.yaml': kustomization({
      about:
        'Every service. Apply after ../config, the Secrets and ../migrations: a service whose database lacks ' +
        'migrations does not start.',
      resources: names,
      images: names,
    }),
    'migrations/kustomization.yaml': kustomization({
      about:
        'A job for each service that owns a database. A job cannot be changed: delete those of the last release ' +
        'before you apply these.',
      resources: ['service-account', ...databaseServices],
      images: databaseServices,
    }),
    'examples/admin.yaml': adminJob(),
    'audit/kustomization.yaml': kustomization({
      about: 'The auditor, every night. Apply it after ../base.',
      resources: [AUDITOR],
      images: [AUDITOR],
    }),
    [`audit/${AUDITOR}.yaml`]: auditJob(),
    'sandbox/kustomization.yaml': kustomization({
      about:
        'What an installation that is a sandbox has besides. Apply it after ../base, where SANDBOX is true in the ' +
        'settings, and nowhere else.',
      resources: sandboxServices.map(({ name }) => name),
      images: sandboxServices.map(({ name }) => name),
    }),
  };
  for (const service of productionServices) files[`base/${service.name}.yaml`] = serviceManifests(service);
  for (const service of sandboxServices) files[`sandbox/${service.name}.yaml`] = serviceManifests(service);
  for (const name of databaseServices) files[`migrations/${name}.yaml`] = migrationJob(name);
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, `# ${GENERATED}\n${text}`]));
}

const kustomization = (content: { about: string; resources: readonly string[]; images: readonly string[] }): string =>
  `${comment(content.about)}
apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namespace: saleschannel
resources:
${content.resources.map((name) => `  - ${name}.yaml`).join('\n')}
images:
${content.images.map((name) => `  - { name: saleschannel/${name}, newTag: local }`).join('\n')}
`;

const settingComments: Readonly<Record<string, string>> = {
  DATABASE_POOL_MAX:
    'Connections of one process. The server needs room for all replicas of all services, and for one more connection ' +
    'of each replica that publishes events.',
  PORTAL_URL: 'By which browsers reach the portal: HTTPS. The portal does not start while it is empty.',
  OIDC_ISSUER: 'Yours: whose access tokens are accepted. Identity does not start while it is empty.',
};

/** Empty for what every installation has to set. */
function valueOf(source: Source): string {
  if (source.kind === 'namespace') return NAMESPACE;
  return source.kind === 'setting' && source.default !== undefined ? source.default : '';
}

function settings(): string {
  const known = new Map(
    productionServices
      .flatMap(({ name }) => variablesReadBy(name))
      .filter(({ source }) => source.kind === 'setting' || source.kind === 'namespace')
      .map((variable) => [variable.name, variable]),
  );
  const variables = [...known.values()];
  const further = variables.filter((variable) => !isAlwaysSet(variable)).map(({ name }) => name);
  const lines = variables.filter(isAlwaysSet).flatMap(({ name, source }) => {
    const about = settingComments[name];
    return [...(about === undefined ? [] : [comment(about, '  ')]), `  ${name}: '${valueOf(source)}'`];
  });
  const about =
    'Settings of all services, none of them secret. Change them in your overlay. Further keys are read when they are ' +
    `there: ${further.join(', ')}.`;
  return `${comment(about)}
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
${lines.join('\n')}
`;
}
