import type { SalesChannel } from '@saleschannel/sdk';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Misuse } from '../context.ts';
import { readPrivateFile, writePrivateFile } from '../private-file.ts';

/** How far a target has been served. Without a position: from the first event on. */
export interface Place {
  readonly position?: string | undefined;
  /** The last event that was forwarded. */
  readonly eventId?: string | undefined;
  /** The service whose log it is a place in. */
  readonly baseUrl?: string | undefined;
}

export interface Route {
  readonly profile: string;
  readonly baseUrl: string;
  readonly target: string;
}

/** The place in the log up to which events were forwarded, for each profile and target. */
export class KeptPlace {
  readonly #file: string;
  readonly #route: Route;

  constructor(folder: string, route: Route) {
    this.#route = route;
    const { profile, target } = route;
    const name = createHash('sha256').update(`${profile}\n${target}`).digest('hex').slice(0, 32);
    this.#file = join(folder, `listen-${name}.json`);
  }

  /**
   * Undefined: nothing was forwarded there before.
   * @throws Misuse for a place in the log of another service, behind which the one of this service may not begin
   */
  read(): Place | undefined {
    const place = readPrivateFile(this.#file) as Place | undefined;
    const { profile, baseUrl, target } = this.#route;
    if (place?.baseUrl === undefined || place.baseUrl === baseUrl) return place;
    const why = `The profile ${profile} has forwarded events of ${place.baseUrl} to ${target}`;
    throw new Misuse(`${why}. Use another --profile for ${baseUrl}, or delete ${this.#file}.`);
  }

  save(place: Place): Place {
    writePrivateFile(this.#file, { ...place, baseUrl: this.#route.baseUrl });
    return place;
  }

  /** The end of the log now. */
  async end(client: SalesChannel, signal: AbortSignal): Promise<Place> {
    const query = { $orderBy: { createdAt: 'desc' as const }, $limit: 1 };
    const [newest] = await client.request('listEvents', { query, signal });
    return newest ? { position: client.events.positionOf(newest), eventId: newest.id } : {};
  }
}
