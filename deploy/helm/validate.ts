// Validates objects against the schemas of their kinds and rejects unknown fields, as a strict API server does.
// kubeconform does the same, but is not on npm and would have to be installed by every contributor.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parseAllDocuments } from 'yaml';

interface SchemaFile {
  readonly definitions: Readonly<Record<string, object>>;
  readonly kinds: Readonly<Record<string, object>>;
}

const file = join(import.meta.dirname, 'schemas/schemas.json');
const { definitions, kinds } = JSON.parse(readFileSync(file, 'utf8')) as SchemaFile;
/** `<apiVersion>/<kind>` of every schema. */
export const schemaIds = (): string[] => Object.keys(kinds);
const ajv = new Ajv({ strict: false, allErrors: true });
const compiled = new Map<string, ValidateFunction>();

function validatorOf(id: string): ValidateFunction | undefined {
  const schema = kinds[id];
  if (!schema) return undefined;
  const validator = compiled.get(id) ?? ajv.compile({ ...schema, definitions });
  compiled.set(id, validator);
  return validator;
}

interface Headed {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly generateName?: string };
}

function faultsOf(object: Headed): string[] {
  const { apiVersion, kind, metadata } = object;
  const name = `${kind} ${metadata?.name ?? metadata?.generateName}`;
  const validate = validatorOf(`${apiVersion}/${kind}`);
  if (!validate) return [`${name}: deploy/helm/schemas has no schema of ${apiVersion}/${kind}`];
  if (validate(object)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const field = (params as { additionalProperty?: string }).additionalProperty;
    return `${name}: ${instancePath} ${message}${field === undefined ? '' : `: ${field}`}`;
  });
}

/** Faults of the objects in a YAML text. */
export function findFaults(text: string): string[] {
  const seen = new Set<string>();
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) return document.errors.map(String);
    const object = document.toJS() as Headed | null;
    if (object === null) return [];
    const id = `${object.apiVersion}/${object.kind} ${object.metadata?.name ?? Math.random()}`;
    const isTwice = seen.has(id);
    seen.add(id);
    return [...faultsOf(object), ...(isTwice ? [`${id} occurs twice`] : [])];
  });
}
