import type { Bundle } from './bundle.ts';

/**
 * Bundles by issuance and first serial. No two of them share a certificate. Whoever changes where a bundle begins takes
 * it out before and puts it back afterwards.
 */
export class BundleIndex {
  /** Of each issuance, in the order of their serials. */
  readonly #byIssuance = new Map<string, Bundle[]>();

  put(bundle: Bundle): void {
    const { issuanceId } = bundle.issuance;
    const bundles = this.#byIssuance.get(issuanceId);
    if (bundles) bundles.splice(placeOf(bundles, bundle.first), 0, bundle);
    else this.#byIssuance.set(issuanceId, [bundle]);
  }

  remove(bundle: Bundle): void {
    const bundles = this.#byIssuance.get(bundle.issuance.issuanceId) ?? [];
    const place = placeOf(bundles, bundle.first);
    if (bundles[place] === bundle) bundles.splice(place, 1);
  }

  startingAt(issuanceId: string, first: bigint): Bundle | undefined {
    const bundles = this.#byIssuance.get(issuanceId) ?? [];
    const bundle = bundles[placeOf(bundles, first)];
    return bundle?.first === first ? bundle : undefined;
  }

  /** The bundle that the certificate is in. */
  holding(issuanceId: string, serial: bigint): Bundle | undefined {
    const bundles = this.#byIssuance.get(issuanceId) ?? [];
    const bundle = bundles[placeOf(bundles, serial + 1n) - 1];
    return bundle && serial <= bundle.last ? bundle : undefined;
  }
}

/** Where a bundle that begins with this serial is, or would be. */
function placeOf(bundles: readonly Bundle[], first: bigint): number {
  let [low, high] = [0, bundles.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const bundle = bundles[middle];
    if (bundle && bundle.first < first) low = middle + 1;
    else high = middle;
  }
  return low;
}
