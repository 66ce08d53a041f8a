const LINE_FEED = 0x0a;

/** One line of a file. `line` counts from 1. */
export interface Line {
  readonly line: number;
  /** Without the line feed at its end. Undefined when the line is too long to keep. */
  readonly bytes: Buffer | undefined;
}

/** Cuts a stream into lines. The memory it takes does not grow with the file. */
export async function* linesOf(chunks: AsyncIterable<Buffer>, lineBytesAtMost: number): AsyncGenerator<Line> {
  let line = 1;
  let parts: Buffer[] = [];
  let size = 0;
  const take = (part: Buffer): void => {
    size += part.length;
    if (size <= lineBytesAtMost) parts.push(part);
    else parts = [];
  };
  const finish = (): Line => {
    const bytes = size > lineBytesAtMost ? undefined : Buffer.concat(parts);
    parts = [];
    size = 0;
    return { line: line++, bytes };
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(LINE_FEED); to !== -1; to = chunk.indexOf(LINE_FEED, from)) {
      take(chunk.subarray(from, to));
      yield finish();
      from = to + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (size > 0) yield finish();
}
