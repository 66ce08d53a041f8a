/** Large input for requests: patterns, and the parts of a request that may contain them. */

export interface HostileRequest {
  readonly method: string;
  /** Path with parameters as `{}`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Query parameters, each of which is tested with large values. */
  readonly parameters?: readonly string[];
  /** A valid JSON body, each text and list of which is tested with large values. */
  readonly example?: unknown;
  /** Beginnings of bodies that are neither JSON nor forms, by media type. */
  readonly files?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A text that is repeated, and its ending. */
export type Pattern = readonly [name: string, piece: string, end: string];

/** A part of a request that may be large. */
export interface RequestPart {
  readonly name: string;
  readonly patterns: readonly Pattern[];
  /** Length of the smallest text as sent. The others are two and four times as long. */
  readonly characters: number;
  encode(text: string): string;
  fill(target: HostileRequest, encoded: string): HostileRequest;
}

/** Replaced with a three-character number that differs per repetition. */
const COUNTER = '\u0002';

/** Input that is slow for programs that backtrack, nest or compare all pairs. */
const texts: readonly Pattern[] = [
  ['letters', 'a', '!'],
  ['spaces', ' ', 'x'],
  ['line ends', '\n', 'x'],
  ['brackets', '[', ''],
  ['closing tags', '>\n', 'x'],
  ['numbers', '0,', ']'],
  ['digits', '1', 'x'],
  ['members', '"a":', '1'],
  ['escapes', '\\u0041', '"'],
  ['tildes', '~', ''],
  ['dots', '.', ''],
  ['commas', 'a,', ''],
  ['slashes', '//', '.'],
  ['pairs', 'a=1&', ''],
  ['percents', '%20', '%'],
];

/** As written: separators are not escaped. */
const parameters: readonly Pattern[] = [
  ['equal parameters', 'a=1&', ''],
  ['parameters', `a${COUNTER}=1&`, ''],
  ['members in brackets', `a[b${COUNTER}]=1&`, ''],
  ['nested brackets', 'a[b]', '=1'],
  ['separators', '&', ''],
  ['equals signs', '=', ''],
];

const jsonBodies: readonly Pattern[] = [
  ['distinct members', `"a${COUNTER}":1,`, '"a":1}'],
  ['equal members', '"a":1,', '"a":1}'],
  ['nested members', '"a":{', ''],
];

const fileContents: readonly Pattern[] = [
  ...texts,
  ['quotes', '"', 'x'],
  ['doubled quotes', 'a""', '"'],
  ['empty cells', ',', ''],
  ['distinct lines', `a${COUNTER},b\r\n`, ''],
  ['objects', '{"a":1}\n', ''],
];

const headerValues: readonly Pattern[] = [
  ...texts.filter(([name]) => ['spaces', 'digits', 'dots', 'commas', 'slashes'].includes(name)),
  ['parameters of values', 'a;a=1,', ''],
  ['distinct pairs', `a${COUNTER}=1; `, ''],
  ['quoted values', '"a", ', '""'],
  ['escaped quotes', '\\"', '"'],
];

/** Headers that handlers read. */
const headersOfHandlers = ['Accept', 'Cookie', 'Idempotency-Key', 'If-None-Match', 'Last-Event-ID'];
/** Headers that the server reads before any handler, in the same way for all routes of a kind. */
const headersOfServers = [
  'Accept-Language',
  'Authorization',
  'Content-Type',
  'Forwarded',
  'If-Match',
  'Origin',
  'Prefer',
  'Traceparent',
  'Tracestate',
  'X-Forwarded-For',
  'X-Request-Id',
];
const unchanged = (text: string): string => text;

const inHeader = (name: string): RequestPart => ({
  name: `the header ${name}`,
  patterns: headerValues,
  characters: 2_048,
  encode: (text) => text.replaceAll('\n', ' '),
  fill: (target, text) => ({ ...target, headers: { ...target.headers, [name]: text } }),
});

interface Body {
  readonly type: string;
  readonly patterns: readonly Pattern[];
  readonly characters: number;
  readonly before?: string;
  readonly encode?: RequestPart['encode'];
}
const inBody = ({ type, patterns, characters, before = '', encode = unchanged }: Body): RequestPart => ({
  name: `a body of ${type}`,
  patterns,
  characters,
  encode,
  fill: (target, text) => ({
    ...target,
    headers: { ...target.headers, 'content-type': type },
    body: before + text,
  }),
});

const path: RequestPart = {
  name: 'the path',
  patterns: texts,
  characters: 1_900,
  encode: encodeURIComponent,
  fill: (target, text) => ({ ...target, path: target.path.replaceAll('{}', text) }),
};
const inQuery = (name: string): RequestPart => ({
  name: `the query parameter ${name}`,
  patterns: texts,
  characters: 1_900,
  encode: encodeURIComponent,
  fill: (target, text) => ({ ...target, path: `${target.path}?${encodeURIComponent(name)}=${text}` }),
});

/** Many parameters, with arbitrary and with known names. */
const inWholeQuery = (names: readonly string[]): RequestPart => ({
  name: 'the query',
  patterns: [
    ...parameters,
    ...names.map((name): Pattern => [`values of ${name}`, `${encodeURIComponent(name)}=a&`, '']),
  ],
  characters: 1_900,
  encode: unchanged,
  fill: (target, text) => ({ ...target, path: `${target.path}?${text}` }),
});

/** A service may read only the beginning of a long text, or reject it. A shorter one shows its cost. */
const BODY_CHARACTERS = [960, 3_840];

/** Replaced with the generated text. */
const BLANK = '\u0001';

interface Blanked {
  readonly at: string;
  /** The original value. */
  readonly was: unknown;
  readonly body: unknown;
}

/** Returns the body with each of its texts and lists replaced by a blank in turn. */
function blanked(value: unknown): Blanked[] {
  if (typeof value === 'string') return [{ at: '', was: value, body: BLANK }];
  if (typeof value !== 'object' || value === null) return [];
  const parts = Object.entries(value).flatMap(([key, member]) =>
    blanked(member).map(({ at, was, body }) => ({
      at: `/${key}${at}`,
      was,
      body: Array.isArray(value) ? value.with(Number(key), body) : { ...value, [key]: body },
    })),
  );
  return Array.isArray(value) ? [{ at: '', was: value, body: BLANK }, ...parts] : parts;
}

/** Contents of a large list: its first item repeated, and others. */
function itemsLike([first]: readonly unknown[]): Pattern[] {
  const item = JSON.stringify(first ?? 'a');
  return [
    ['equal items', `${item},`, `${item}]`],
    ['distinct items', `"a${COUNTER}",`, '"a"]'],
  ];
}

/** Places for the texts and lists of a JSON body. */
const inParts = (example: unknown): RequestPart[] =>
  blanked(example).map(({ at, was, body }) => {
    const around = JSON.stringify(body);
    const blank = JSON.stringify(BLANK);
    const [before, isList] = Array.isArray(was) ? ['[', true] : ['"', false];
    return {
      name: `the ${isList ? 'list' : 'text'} ${at}`,
      patterns: Array.isArray(was) ? itemsLike(was) : texts,
      characters: isList ? 3_600 : 960,
      encode: isList ? unchanged : (text) => JSON.stringify(text).slice(1, -1),
      fill: (target, text) => ({
        ...target,
        headers: { ...target.headers, 'content-type': 'application/json' },
        body: around.replace(blank, () => before + text + (isList ? '' : '"')),
      }),
    };
  });

const FORM = 'application/x-www-form-urlencoded';

/** Bodies of all media types, in sizes that a service reads. */
const inBodies = (files: Readonly<Record<string, string>>): RequestPart[] =>
  BODY_CHARACTERS.flatMap((characters) => [
    inBody({ type: 'application/json', patterns: texts, characters }),
    inBody({ type: 'application/json', patterns: jsonBodies, characters, before: '{' }),
    inBody({ type: FORM, patterns: texts, characters, before: 'statement=', encode: encodeURIComponent }),
    inBody({ type: FORM, patterns: parameters, characters }),
    ...Object.entries(files).map(([type, before]) => inBody({ type, patterns: fileContents, characters, before })),
  ]);

/**
 * Lists the parts of a request to a path that may be large.
 * @param options withServerHeaders: includes the headers that the server reads before any handler
 */
export function listParts(
  { method, path: pattern, parameters: names = ['id'], example, files = {} }: HostileRequest,
  { withServerHeaders }: { readonly withServerHeaders: boolean },
): RequestPart[] {
  const isWriting = !['GET', 'HEAD', 'DELETE'].includes(method);
  return [
    ...(pattern.includes('{}') ? [path] : []),
    inWholeQuery(names),
    ...names.map(inQuery),
    ...[...headersOfHandlers, ...(withServerHeaders ? headersOfServers : [])].map(inHeader),
    ...(isWriting ? [...inBodies(files), ...inParts(example)] : []),
  ];
}

/** Fills a part of a request with a pattern until it is `factor` times as long as the smallest text. */
export function fillPart(
  target: HostileRequest,
  place: RequestPart,
  [, piece, end]: Pattern,
  factor: number,
): HostileRequest {
  const encoded = (index: number): string =>
    place.encode(piece.replaceAll(COUNTER, index.toString(36).padStart(3, '0')));
  const last = place.encode(end);
  const count = Math.floor((place.characters * factor - last.length) / encoded(0).length);
  return place.fill(target, Array.from({ length: count }, (_, index) => encoded(index)).join('') + last);
}
