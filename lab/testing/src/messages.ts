/** Removes the markers that tell which optional fields a message has. */
export function removeMarkers<T>(message: T): T {
  if (Array.isArray(message)) return message.map(removeMarkers) as T;
  if (typeof message !== 'object' || message === null || Buffer.isBuffer(message)) return message;
  const fields = Object.entries(message).filter(([name]) => !name.startsWith('_'));
  return Object.fromEntries(fields.map(([name, value]) => [name, removeMarkers(value as unknown)])) as T;
}

/** Collects the messages of a stream without markers: all, or the first `atMost`. */
export async function collect<T>(messages: AsyncIterable<T>, atMost = Infinity): Promise<T[]> {
  const all: T[] = [];
  for await (const message of messages) if (all.push(removeMarkers(message)) === atMost) break;
  return all;
}
