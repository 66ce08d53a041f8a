import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Used members of descriptors, in the JSON form of google/protobuf/descriptor.proto. */
interface Named {
  readonly name: string;
}
interface Field extends Named {
  readonly number: number;
  readonly label?: string;
  readonly type: string;
  readonly typeName?: string;
  readonly oneofIndex?: number;
  readonly proto3Optional?: boolean;
}
interface Message extends Named {
  readonly field?: readonly Field[];
  readonly nestedType?: readonly Message[];
  readonly enumType?: readonly Enumeration[];
  readonly oneofDecl?: readonly Named[];
  readonly options?: { readonly mapEntry?: boolean };
}
interface Enumeration extends Named {
  readonly value: readonly (Named & { readonly number: number })[];
}
interface Method extends Named {
  readonly inputType: string;
  readonly outputType: string;
  readonly serverStreaming?: boolean;
  readonly clientStreaming?: boolean;
  readonly options?: { readonly idempotencyLevel?: string };
}
interface File extends Named {
  readonly package: string;
  readonly messageType?: readonly Message[];
  readonly enumType?: readonly Enumeration[];
  readonly service?: readonly (Named & { readonly method: readonly Method[] })[];
  readonly sourceCodeInfo?: {
    readonly location: readonly { readonly path?: readonly number[]; readonly leadingComments?: string }[];
  };
}

export interface FieldDescription extends Named {
  readonly number: number;
  /** A scalar such as `string`, or the full name of a message or enum. */
  readonly type: string;
  /** Full name of a message or enum that has its own section. */
  readonly refersTo?: string;
  readonly kind: 'one' | 'optional' | 'repeated' | 'map';
  /** Oneof that contains the field. */
  readonly oneof?: string;
  readonly comment: string;
}
export interface MessageDescription extends Named {
  readonly fullName: string;
  readonly comment: string;
  readonly fields: readonly FieldDescription[];
}
export interface EnumDescription extends Named {
  readonly fullName: string;
  readonly comment: string;
  readonly values: readonly (Named & { readonly number: number; readonly comment: string })[];
}
export interface MethodDescription extends Named {
  readonly comment: string;
  readonly request: string;
  readonly response: string;
  readonly streams: boolean;
  readonly isRepeatable: boolean;
}
export interface ServiceDescription extends Named {
  readonly fullName: string;
  readonly comment: string;
  readonly methods: readonly MethodDescription[];
}
/** Contents of a .proto file, with its comments. */
export interface ProtoFile {
  readonly path: string;
  readonly package: string;
  readonly services: readonly ServiceDescription[];
  readonly messages: readonly MessageDescription[];
  readonly enums: readonly EnumDescription[];
}

/** Field numbers of descriptor.proto: the paths of comments consist of them. */
const IN_FILE = { message: 4, enumeration: 5, service: 6 } as const;
const IN_MESSAGE = { field: 2, nested: 3, enumeration: 4 } as const;
const METHOD_IN_SERVICE = 2;
const VALUE_IN_ENUM = 2;

const root = join(import.meta.dirname, '../..');
const withoutDot = (typeName: string): string => typeName.replace(/^\./, '');

/** Reads all files of protos/ except Google's. */
export function readProtos(): ProtoFile[] {
  const image = execFileSync(join(root, 'node_modules/.bin/buf'), ['build', '-o', '-#format=json'], {
    cwd: root,
    maxBuffer: 64 * 1024 * 1024,
  });
  const { file } = JSON.parse(image.toString()) as { file: readonly File[] };
  return file.filter(({ name }) => !name.startsWith('google/')).map(protoFileOf);
}

function protoFileOf(file: File): ProtoFile {
  const comments = new Map(
    (file.sourceCodeInfo?.location ?? []).map(({ path = [], leadingComments = '' }) => [
      path.join('.'),
      leadingComments.replaceAll(/^ /gm, '').trim(),
    ]),
  );
  const commentAt = (...path: number[]): string => comments.get(path.join('.')) ?? '';
  const found = { messages: [] as MessageDescription[], enums: [] as EnumDescription[] };
  const takeEnum = (each: Enumeration, scope: string, ...path: number[]): void => {
    const values = each.value.map((value, index) => ({
      ...value,
      comment: commentAt(...path, VALUE_IN_ENUM, index),
    }));
    const fullName = `${scope}.${each.name}`;
    found.enums.push({ name: fullName.slice(file.package.length + 1), fullName, comment: commentAt(...path), values });
  };
  const takeMessage = (message: Message, scope: string, ...path: number[]): void => {
    const fullName = `${scope}.${message.name}`;
    if (message.options?.mapEntry) return;
    const fields = (message.field ?? []).map((field, index) =>
      fieldOf(field, message, fullName, commentAt(...path, IN_MESSAGE.field, index)),
    );
    found.messages.push({
      name: fullName.slice(file.package.length + 1),
      fullName,
      comment: commentAt(...path),
      fields,
    });
    for (const [index, nested] of (message.nestedType ?? []).entries())
      takeMessage(nested, fullName, ...path, IN_MESSAGE.nested, index);
    for (const [index, each] of (message.enumType ?? []).entries())
      takeEnum(each, fullName, ...path, IN_MESSAGE.enumeration, index);
  };
  for (const [index, message] of (file.messageType ?? []).entries())
    takeMessage(message, file.package, IN_FILE.message, index);
  for (const [index, each] of (file.enumType ?? []).entries()) takeEnum(each, file.package, IN_FILE.enumeration, index);
  const services = (file.service ?? []).map((service, index) => ({
    name: service.name,
    fullName: `${file.package}.${service.name}`,
    comment: commentAt(IN_FILE.service, index),
    methods: service.method.map((method, place) =>
      methodOf(method, commentAt(IN_FILE.service, index, METHOD_IN_SERVICE, place)),
    ),
  }));
  return { path: file.name, package: file.package, services, ...found };
}

const methodOf = (method: Method, comment: string): MethodDescription => ({
  name: method.name,
  comment,
  request: withoutDot(method.inputType),
  response: withoutDot(method.outputType),
  streams: method.serverStreaming === true,
  isRepeatable: ['NO_SIDE_EFFECTS', 'IDEMPOTENT'].includes(method.options?.idempotencyLevel ?? ''),
});

/** `TYPE_INT32` → `int32` */
const scalarOf = (type: string): string => type.replace('TYPE_', '').toLowerCase();

function fieldOf(field: Field, message: Message, scope: string, comment: string): FieldDescription {
  const { name, number } = field;
  const common = { name, number, comment };
  const typeName = field.typeName === undefined ? undefined : withoutDot(field.typeName);
  const entry = message.nestedType?.find(
    (nested) => nested.options?.mapEntry && `${scope}.${nested.name}` === typeName,
  );
  if (entry) {
    const [key, value] = entry.field ?? [];
    const valueType = value?.typeName === undefined ? scalarOf(value?.type ?? '') : withoutDot(value.typeName);
    return {
      ...common,
      type: `map of ${scalarOf(key?.type ?? '')} to ${valueType}`,
      ...(value?.typeName === undefined ? {} : { refersTo: valueType }),
      kind: 'map',
    };
  }
  const isCase = field.oneofIndex !== undefined && !field.proto3Optional;
  const oneof = isCase ? message.oneofDecl?.[field.oneofIndex as number]?.name : undefined;
  return {
    ...common,
    type: typeName ?? scalarOf(field.type),
    ...(typeName === undefined ? {} : { refersTo: typeName }),
    kind: field.label === 'LABEL_REPEATED' ? 'repeated' : field.proto3Optional ? 'optional' : 'one',
    ...(oneof === undefined ? {} : { oneof }),
  };
}
