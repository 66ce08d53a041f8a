import type { AccessRule } from '../../libs/auth/src/index.ts';
import type { Registration } from '../../libs/grpc/src/index.ts';
import { grpcServices } from '../../deploy/installation/src/index.ts';
import type { Files } from '../generate/files.ts';
import {
  readProtos,
  type EnumDescription,
  type FieldDescription,
  type MessageDescription,
  type ProtoFile,
  type ServiceDescription,
} from './proto-image.ts';

/** Server of an RPC and its callers, from the service's own table. */
interface Served {
  readonly by: string;
  readonly callers: readonly string[];
  /** Additional callers in a sandbox installation. */
  readonly sandboxCallers: readonly string[];
  readonly access: AccessRule;
}

/** By full name, such as `events.v1.EventsService/ListEvents`. */
type Servings = ReadonlyMap<string, readonly Served[]>;

/** Reads the RPC table of each service. No handler runs here, so the context may be empty. */
async function readServings(): Promise<Servings> {
  const all: [string, Served][] = [];
  for (const by of grpcServices) {
    const { createRegistrations } = (await import(`@saleschannel/${by}/rpc`)) as {
      createRegistrations: (context: object) => Registration[];
    };
    const ofSandbox = new Map(
      createRegistrations({ isSandbox: true }).map(({ contract, rpcs }) => [contract.name, rpcs]),
    );
    for (const { contract, rpcs } of createRegistrations({}))
      for (const [name, { callers, access }] of Object.entries(rpcs)) {
        const inSandbox: readonly string[] = ofSandbox.get(contract.name)?.[name]?.callers ?? [];
        const sandboxCallers = inSandbox.filter((each) => !callers.some((caller) => caller === each));
        all.push([`${contract.name}/${name}`, { by, callers, sandboxCallers, access }]);
      }
  }
  return new Map([...Map.groupBy(all, ([name]) => name)].map(([name, of]) => [name, of.map(([, served]) => served)]));
}

const FOLDER = 'docs/contribute/protos';

/** `registry_import.v1` → `registry-import` */
const titleOf = (packageName: string): string => String(packageName.split('.', 1)[0]).replaceAll('_', '-');
const pageOf = (packageName: string): string => `${titleOf(packageName)}.md`;
/** Anchor of a heading on GitHub and the site. */
const anchorOf = (heading: string): string => heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, '');

const LINE_CHARACTERS_AT_MOST = 118;

/** Wraps a paragraph and escapes HTML. */
function wrapped(text: string): string {
  const lines: string[] = [''];
  for (const word of escaped(text).split(/\s+/)) {
    const line = lines.at(-1) as string;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + word.length + 1 > LINE_CHARACTERS_AT_MOST) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines.join('\n');
}
const escaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('*', String.raw`\*`);
const cell = (text: string): string =>
  escaped(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll('|', String.raw`\|`);
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`.replaceAll('|  |', '| |')).join('\n');

function describeAccess({ principal, ...rule }: AccessRule): string {
  if (principal === 'none') return 'the service itself';
  if (principal === 'registry') return 'a registry key';
  const { roles = [], self, holder, registry, changes } = rule as Partial<Extract<AccessRule, { principal: 'user' }>>;
  const who = registry ? 'a user of a registry' : holder ? 'a user of an account holder' : 'any user';
  return [
    roles.length > 0 ? roles.map((role) => `\`${role}\``).join(' or ') : who,
    self ? 'no role for their own data' : [],
    changes ? 'not while the channel is suspended' : [],
  ]
    .flat()
    .join('; ');
}

/** Carries other calls. `libs/grpc` serves it in every program. */
const GATHERED = 'common.v1.GatheredCallsService';

const callersIn = ({ callers, sandboxCallers }: Served): string =>
  [...callers, ...sandboxCallers.map((name) => `${name} (only in a sandbox installation)`)].join(', ') || 'no program';

class Pages {
  readonly #files: readonly ProtoFile[];
  readonly #servings: Servings;
  /** Full name of a message or enum → its package. */
  readonly #packages: ReadonlyMap<string, string>;

  constructor(files: readonly ProtoFile[], servings: Servings) {
    this.#files = files;
    this.#servings = servings;
    this.#packages = new Map(
      files.flatMap(({ package: name, messages, enums }) =>
        [...messages, ...enums].map(({ fullName }): [string, string] => [fullName, name]),
      ),
    );
  }

  all(): Files {
    const byPackage = Map.groupBy(this.#files, (file) => file.package);
    return {
      [`${FOLDER}/README.md`]: this.#index(byPackage),
      ...Object.fromEntries(
        [...byPackage].map(([name, files]) => [`${FOLDER}/${pageOf(name)}`, this.#page(name, files)]),
      ),
    };
  }

  #index(byPackage: ReadonlyMap<string, readonly ProtoFile[]>): string {
    const rows = [...byPackage].toSorted().map(([name, files]) => [
      `[${titleOf(name)}](${pageOf(name)})`,
      files
        .flatMap(({ services }) => services)
        .map(({ name: service, comment }) => `\`${service}\`: ${cell(comment)}`)
        .join('<br>') || 'messages that others use',
    ]);
    return `${HEAD}# The protos

Services call each other over gRPC, as the files of \`protos/\` define. Clients outside the installation cannot reach
it. Each program signs its calls with its own key, and each RPC names its callers
([security](../../operate/security.md#what-may-call-what)). [asyncapi.yaml](../../integrate/asyncapi.yaml) describes
the messages that services exchange over RabbitMQ.

${table(['Package', 'Services'], rows)}
`;
  }

  #page(name: string, files: readonly ProtoFile[]): string {
    const sources = files.map(({ path }) => `[${path}](../../../protos/${path})`).join(', ');
    const messages = files.flatMap((file) => file.messages);
    const enums = files.flatMap((file) => file.enums);
    const headings = [...files.flatMap((file) => file.services), ...messages, ...enums].map((each) => each.name);
    const twice = headings.find((heading, index) => headings.map(anchorOf).indexOf(anchorOf(heading)) !== index);
    if (twice) throw new Error(`${name} has the heading ${twice} twice. Links would reach only the first.`);
    return [
      `${HEAD}# ${titleOf(name)}`,
      `Package \`${name}\`. Source: ${sources}.`,
      ...files.flatMap((file) => file.services).flatMap((service) => this.#service(service)),
      ...(messages.length + enums.length > 0 ? ['## Messages'] : []),
      ...messages.map((message) => this.#message(message)),
      ...enums.map(enumSection),
    ]
      .join('\n\n')
      .concat('\n');
  }

  #service({ name, fullName, comment, methods }: ServiceDescription): string[] {
    return [
      `## ${name}`,
      wrapped(comment),
      ...methods.map((method) => {
        const servings = this.#servings.get(`${fullName}/${method.name}`);
        if (!servings && fullName !== GATHERED) throw new Error(`No service implements ${fullName}/${method.name}.`);
        const rows = servings?.map((served) => [served.by, callersIn(served), describeAccess(served.access)]);
        return [
          `### ${rpcHeading(method)}`,
          wrapped(method.comment),
          `${this.#link(method.request)} → ${method.streams ? 'a stream of ' : ''}${this.#link(method.response)}${
            method.isRepeatable ? '. Repeat it if no reply arrived' : ''
          }.`,
          rows
            ? table(['Served by', 'Called by', 'For'], rows)
            : 'Every service serves it, and authorizes each of the calls that it carries.',
        ].join('\n\n');
      }),
    ];
  }

  #message({ name, comment, fields }: MessageDescription): string {
    const rows = fields.map((field) => [
      String(field.number),
      `\`${field.name}\``,
      this.#type(field),
      cell(field.comment),
    ]);
    return [
      `### ${name}`,
      wrapped(comment),
      fields.length === 0 ? 'It has no fields.' : table(['No.', 'Field', 'Type', 'Description'], rows),
    ].join('\n\n');
  }

  #type({ type, refersTo, kind, oneof }: FieldDescription): string {
    const shown = refersTo === undefined ? type : type.replace(refersTo, this.#link(refersTo));
    const counted = kind === 'repeated' ? `list of ${shown}` : kind === 'optional' ? `${shown}, optional` : shown;
    return oneof === undefined ? counted : `${counted}, one of \`${oneof}\``;
  }

  #link(fullName: string): string {
    const owner = this.#packages.get(fullName);
    if (owner === undefined) return `\`${fullName}\``;
    const name = fullName.slice(owner.length + 1);
    return `[\`${name}\`](${pageOf(owner)}#${anchorOf(name)})`;
  }
}

/** Distinct from a message of the same name. */
const rpcHeading = ({ name }: { readonly name: string }): string => `RPC ${name}`;

const enumSection = ({ name, comment, values }: EnumDescription): string =>
  [
    `### ${name}`,
    wrapped(comment),
    table(
      ['No.', 'Value', 'Description'],
      values.map((value) => [String(value.number), `\`${value.name}\``, cell(value.comment)]),
    ),
  ].join('\n\n');

const HEAD = '<!-- Generated by tools/generate.ts from protos/ and the table of RPCs of each service. -->\n\n';

/** A page for each package of protos/, with its comments, and who serves and who may call each RPC. */
export const protoPages = async (): Promise<Files> => new Pages(readProtos(), await readServings()).all();
