import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { SalesChannel } from '@saleschannel/sdk';
import { readPrivateFile, writePrivateFile } from '../private-file.ts';

/** How far a target has been served. Without a position: from the first event on. */
export interface Place {
  readonly position?: string | undefined;
  /** The last event that was forwarded. */
  readonly eventId?: string | undefined;
}

/** The place in the log up to which events were forwarded, for each profile and target. */
export class KeptPlace {
  readonly #file: string;

  constructor(folder: string, profile: string, target: string) {
    const name = createHash('sha256').update(`${profile}\n${target}`).digest('hex').slice(0, 32);
    this.#file = join(folder, `listen-${name}.json`);
  }

  /** Undefined: nothing was forwarded there before. */
  read(): Place | undefined {
    return readPrivateFile(this.#file) as Place | undefined;
  }

  save(place: Place): Place {
    writePrivateFile(this.#file, place);
    return place;
  }

  /** The end of the log now. */
  async end(client: SalesChannel, signal: AbortSignal): Promise<Place> {
    const query = { $orderBy: { createdAt: 'desc' as const }, $limit: 1 };
    const [newest] = await client.request('listEvents', { query, signal });
    return newest ? { position: client.events.positionOf(newest), eventId: newest.id } : {};
  }
}
