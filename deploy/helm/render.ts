// Renders the charts from deploy/installation. deploy/helm/library is written by hand.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ADMIN, ALL_IN_ONE, AUDITOR, services, type ImageName } from '@saleschannel/installation';
import { stringify } from 'yaml';
import { GENERATED } from '../manifest-text.ts';
import { allInOneModel, chartModel, isService } from './model.ts';
import { chartPrograms, installationSchema, programSchema, programValues, umbrellaSchema } from './values.ts';

const root = resolve(import.meta.dirname, '../..');
const head = `# ${GENERATED}\n`;

/** Version in a package.json. */
function versionIn(folder: string): string {
  const { version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { version: string };
  return version;
}

const library = { name: 'saleschannel-library', version: '>=0.1.0' };

const chart = (content: object): string => `${head}${stringify({ apiVersion: 'v2', type: 'application', ...content })}`;

const descriptions: Readonly<Record<string, string>> = {
  [AUDITOR]: 'Compares the databases of all services with each other, every night.',
  [ALL_IN_ONE]: 'All permanent services in one process, if "global.allInOne" is true.',
  [ADMIN]: "The operator's command-line tool, as a job.",
};

const descriptionOf = (program: ImageName): string => {
  const service = services.find(({ name }) => name === program);
  return service
    ? [service.description, service.onReplicas].filter(Boolean).join(' ')
    : (descriptions[program] ?? program);
};

const templatesOf = (program: ImageName): Record<string, string> => {
  if (isService(program) || program === ALL_IN_ONE)
    return { 'service.yaml': '{{ include "saleschannel.service" . }}\n' };
  if (program === AUDITOR) return { 'auditor.yaml': '{{ include "saleschannel.auditor" . }}\n' };
  return {
    'admin.yaml': '{{ include "saleschannel.admin" . }}\n',
    'job.yaml': '{{ if .Values.args }}{{ include "saleschannel.adminJob" . }}{{ end }}\n',
  };
};

/** Defaults of "global", the same in every chart. */
const globalText = (): string => readFileSync(join(import.meta.dirname, 'global-values.yaml'), 'utf8');

const json = (content: object): string => JSON.stringify(content);

function programChart(program: ImageName): Record<string, string> {
  const version = versionIn(`apps/${program}`);
  const model = program === ALL_IN_ONE ? allInOneModel() : chartModel(program);
  return {
    'Chart.yaml': chart({
      name: program,
      description: descriptionOf(program),
      version,
      appVersion: version,
      kubeVersion: '>=1.30.0-0',
      dependencies: [{ ...library, repository: 'file://../../library' }],
    }),
    'values.yaml': `${head}${programValues(program, globalText())}`,
    'values.schema.json': json(programSchema(program)),
    'model.yaml': `${head}${stringify(model, { lineWidth: 110 })}`,
    ...Object.fromEntries(Object.entries(templatesOf(program)).map(([file, text]) => [`templates/${file}`, text])),
  };
}

/** alerts/ and dashboards/ of this chart are links to deploy/observe, which helm follows. */
function installationChart(): Record<string, string> {
  const version = versionIn('.');
  return {
    'Chart.yaml': chart({
      name: 'installation',
      description: 'Shared parts of an installation: network policies, ingress, alert rules and dashboards.',
      version,
      appVersion: version,
      kubeVersion: '>=1.30.0-0',
      dependencies: [{ ...library, repository: 'file://../library' }],
    }),
    'values.yaml': `${head}${globalText()}`,
    'values.schema.json': json(installationSchema()),
  };
}

function umbrellaChart(): Record<string, string> {
  const version = versionIn('.');
  const apart = chartPrograms.filter((name) => name !== ALL_IN_ONE);
  const enabled = (name: string): string => `${name}: { enabled: ${String(name !== 'sandbox')} }`;
  return {
    'Chart.yaml': chart({
      name: 'saleschannel',
      description: 'A whole installation: every service and the shared parts.',
      version,
      appVersion: version,
      kubeVersion: '>=1.30.0-0',
      dependencies: [
        { ...library, repository: 'file://../library' },
        { name: 'installation', version: '>=0.1.0', repository: 'file://../installation' },
        ...chartPrograms.map((name) => ({
          name,
          version: '>=0.1.0',
          repository: `file://../services/${name}`,
          ...(name === ALL_IN_ONE ? {} : { condition: `${name}.enabled` }),
        })),
      ],
    }),
    'values.yaml': `${head}# Set values of a service under its name. Its own chart lists them.
${apart.map(enabled).join('\n')}

${globalText()}`,
    'values.schema.json': json(umbrellaSchema()),
  };
}

/** Texts of the charts' files, by path from this folder. */
export function helmFiles(): Record<string, string> {
  const charts: [string, Record<string, string>][] = [
    ...chartPrograms.map((program): [string, Record<string, string>] => [`services/${program}`, programChart(program)]),
    ['installation', installationChart()],
    ['saleschannel', umbrellaChart()],
  ];
  return Object.fromEntries(
    charts.flatMap(([folder, files]) => Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text])),
  );
}
