// Compares objects with the schemas of their kinds, as an API server would that refuses fields that it does not know.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parseAllDocuments } from 'yaml';

interface SchemaFile {
  readonly definitions?: Readonly<Record<string, object>>;
  readonly kinds: Readonly<Record<string, object>>;
}

const folder = join(import.meta.dirname, 'schemas');
const files = globSync('*.json', { cwd: folder }).map(
  (file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as SchemaFile,
);
const definitions = Object.assign({}, ...files.map((file) => file.definitions ?? {})) as Record<string, object>;
const kinds = new Map(files.flatMap((file) => Object.entries(file.kinds)));
/** `<apiVersion>/<kind>` of all that there are. */
export const schemaIds = (): string[] => [...kinds.keys()];
const ajv = new Ajv({ strict: false, allErrors: true });
const compiled = new Map<string, ValidateFunction>();

function validatorOf(id: string): ValidateFunction | undefined {
  const schema = kinds.get(id);
  if (!schema) return undefined;
  const made = compiled.get(id) ?? ajv.compile({ ...schema, definitions });
  compiled.set(id, made);
  return made;
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
  if (!validate) return [`${name}: there is no schema of ${apiVersion}/${kind} in deploy/helm/schemas`];
  if (validate(object)) return [];
  return (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const field = (params as { additionalProperty?: string }).additionalProperty;
    return `${name}: ${instancePath} ${message}${field === undefined ? '' : `: ${field}`}`;
  });
}

/** What is wrong with the objects of a text. */
export function faultsIn(text: string): string[] {
  const seen = new Set<string>();
  return parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) return document.errors.map(String);
    const object = document.toJS() as Headed | null;
    if (object === null) return [];
    const id = `${object.apiVersion}/${object.kind} ${object.metadata?.name ?? Math.random()}`;
    const isTwice = seen.has(id);
    seen.add(id);
    return [...faultsOf(object), ...(isTwice ? [`${id} is there twice`] : [])];
  });
}
