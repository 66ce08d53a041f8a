import type { Breach } from './records.ts';
import { deprecatedIn, finderIn, resolveSchema, SchemaDiffer, type Direction, type Schema } from './schema-differ.ts';

// Compares two versions of an OpenAPI 3.1 contract. No maintained npm package does: oasdiff is a Go program, whose npm
// name is a placeholder; @pb33f/openapi-changes downloads a binary when it is installed; openapi-diff knows OpenAPI 3.0
// only; Optic is archived; api-smart-diff does not tell requests from responses in shared schemas. None of them knows
// `x-access` and `x-max-body-bytes`, or checks events by the same rules (schema-differ.ts).

interface Body {
  readonly $ref?: string;
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly schema?: Schema;
}

interface Operation {
  readonly operationId?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Body;
  readonly responses?: Readonly<Record<string, Body>>;
  readonly 'x-access'?: { readonly roles?: readonly string[] };
  readonly 'x-max-body-bytes'?: number;
}

type PathItem = Readonly<Record<string, Operation>> & { readonly parameters?: readonly Parameter[] };
type Paths = Readonly<Record<string, PathItem>>;

export interface OpenApi {
  readonly paths: Paths;
  readonly webhooks?: Paths;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Largest body of an operation without `x-max-body-bytes`. */
const BODY_BYTES = 16_384;

const methods = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'];

interface Named {
  readonly name: string;
  readonly item: PathItem;
  readonly operation: Operation;
}

function operationsOf(paths: Paths | undefined): Map<string, Named> {
  const all = Object.entries(paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      const name = `${method.toUpperCase()} ${path}`;
      // Clients do not see the names of path parameters.
      return operation ? [[name.replaceAll(/\{[^{}]*\}/g, '{}'), { name, item, operation }] as const] : [];
    }),
  );
  return new Map(all);
}

const isSuccess = (status: string): boolean => /^[123]/.test(status);

class OpenApiDiffer extends SchemaDiffer {
  /** Clients write requests of operations; the service writes those of webhooks. */
  comparePaths(older: Paths | undefined, newer: Paths | undefined, request: Direction): void {
    const known = operationsOf(newer);
    for (const [key, before] of operationsOf(older)) {
      const after = known.get(key);
      if (!after) this.report(before.name, 'OPERATION_REMOVED', 'The operation is gone.');
      else this.#compareOperation(before, after, request);
    }
  }

  #compareOperation(before: Named, after: Named, request: Direction): void {
    const { name } = before;
    this.#compareParameters(before, after);
    this.#compareBodies(before.operation.requestBody, after.operation.requestBody, request, `${name} request`);
    const response: Direction = request === 'read' ? 'written' : 'read';
    const [was, is] = [before.operation.responses ?? {}, after.operation.responses ?? {}];
    for (const [status, body] of Object.entries(was)) {
      const other = is[status];
      // Removing an error response breaks no client.
      if (!other && isSuccess(status)) this.report(`${name} ${status}`, 'RESPONSE_REMOVED', 'The response is gone.');
      else if (other) this.#compareBodies(body, other, response, `${name} ${status}`);
    }
    for (const status of Object.keys(is)) {
      if (isSuccess(status) && !(status in was)) {
        this.report(`${name} ${status}`, 'RESPONSE_STATUS_ADDED', `It may succeed with ${status} now.`);
      }
    }
    const roles = after.operation['x-access']?.roles ?? [];
    const lost = (before.operation['x-access']?.roles ?? []).filter(
      (role) => roles.length > 0 && !roles.includes(role),
    );
    if (lost.length > 0) this.report(name, 'ROLE_REMOVED', `${lost.join(', ')} may no longer call it.`);
    const { 'x-max-body-bytes': bytes } = before.operation;
    const { 'x-max-body-bytes': fewer = BODY_BYTES } = after.operation;
    if (bytes !== undefined && fewer < bytes)
      this.report(`${name} request`, 'REQUEST_LIMIT_TIGHTENED', `x-max-body-bytes was ${bytes} and is ${fewer}.`);
  }

  #compareParameters(before: Named, after: Named): void {
    const [was, is] = [parametersOf(before, this.old), parametersOf(after, this.new)];
    const places = [...was].filter(([, { in: place }]) => place === 'path').map(([, each]) => each);
    const newPlaces = [...is].filter(([, { in: place }]) => place === 'path').map(([, each]) => each);
    for (const [index, parameter] of places.entries()) {
      const other = newPlaces[index];
      if (other) this.#compareParameter(parameter, other, `${before.name} path`);
    }
    for (const [key, parameter] of was) {
      if (parameter.in === 'path') continue;
      const element = `${before.name} ${key}`;
      const other = is.get(key);
      if (!other) this.report(element, 'PARAMETER_REMOVED', 'The parameter is gone.');
      else this.#compareParameter(parameter, other, element);
    }
    for (const [key, { required, in: place }] of is) {
      if (required && place !== 'path' && !was.get(key)?.required) {
        this.report(`${before.name} ${key}`, 'PARAMETER_REQUIRED', 'The parameter is required now.');
      }
    }
  }

  #compareParameter(before: Parameter, after: Parameter, element: string): void {
    if (before.schema && after.schema) this.compare(before.schema, after.schema, 'read', element);
  }

  #compareBodies(older: Body | undefined, newer: Body | undefined, direction: Direction, element: string): void {
    const before = older?.$ref === undefined ? older : this.old<Body>(older.$ref);
    const after = newer?.$ref === undefined ? newer : this.new<Body>(newer.$ref);
    if (direction === 'read' && after?.required && !before?.required) {
      this.report(element, 'REQUEST_BODY_REQUIRED', 'The body is required now.');
    }
    for (const [type, { schema }] of Object.entries(before?.content ?? {})) {
      const other = after?.content?.[type];
      if (!other) this.report(element, 'MEDIA_TYPE_REMOVED', `${type} is gone.`);
      else if (schema && other.schema) this.compare(schema, other.schema, direction, element);
    }
  }
}

function parametersOf({ item, operation }: Named, component: <T>(ref: string) => T): Map<string, Parameter> {
  const all = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((each) =>
    each.$ref === undefined ? each : component<Parameter>(each.$ref),
  );
  return new Map(all.map((each) => [`${each.in} ${each.name}`, each]));
}

/** Promises of the older contract that the newer one breaks. */
export function compareOpenApi(older: OpenApi, newer: OpenApi): Breach[] {
  const differ = new OpenApiDiffer(older, newer);
  differ.comparePaths(older.paths, newer.paths, 'read');
  differ.comparePaths(older.webhooks, newer.webhooks, 'written');
  return differ.breaches;
}

/** Deprecated elements of a contract, named as in breaches. */
export function deprecatedInOpenApi(contract: OpenApi): string[] {
  const component = finderIn(contract);
  const schemas = Object.entries((contract.components?.schemas ?? {}) as Record<string, Schema>);
  const operations = [...operationsOf(contract.paths).values(), ...operationsOf(contract.webhooks).values()];
  return [
    ...operations.flatMap(({ name, operation }) => (operation.deprecated ? [name] : [])),
    ...operations.flatMap((named) =>
      [...parametersOf(named, component)].flatMap(([key, { deprecated }]) =>
        deprecated ? [`${named.name} ${key}`] : [],
      ),
    ),
    ...schemas.flatMap(([name, schema]) => deprecatedIn(resolveSchema(schema, component<Schema>), name)),
  ];
}
