import type { Bundle } from './bundle.ts';

/**
 * Disjoint bundles by issuance and first serial. Remove a bundle before changing its first serial, then put it back.
 */
export class BundleIndex {
  /** The bundles of each issuance, by serial. */
  readonly #byIssuance = new Map<string, Bundle[]>();

  put(bundle: Bundle): void {
    const { issuanceId } = bundle.issuance;
    const bundles = this.#byIssuance.get(issuanceId);
    if (bundles) bundles.splice(findIndex(bundles, bundle.first), 0, bundle);
    else this.#byIssuance.set(issuanceId, [bundle]);
  }

  remove(bundle: Bundle): void {
    const bundles = this.#byIssuance.get(bundle.issuance.issuanceId) ?? [];
    const index = findIndex(bundles, bundle.first);
    if (bundles[index] === bundle) bundles.splice(index, 1);
  }

  findStartingAt(issuanceId: string, first: bigint): Bundle | undefined {
    const bundles = this.#byIssuance.get(issuanceId) ?? [];
    const bundle = bundles[findIndex(bundles, first)];
    return bundle?.first === first ? bundle : undefined;
  }

  /** Returns the bundle that contains the certificate. */
  findContaining(issuanceId: string, serial: bigint): Bundle | undefined {
    const bundles = this.#byIssuance.get(issuanceId) ?? [];
    const bundle = bundles[findIndex(bundles, serial + 1n) - 1];
    return bundle && serial <= bundle.last ? bundle : undefined;
  }
}

/** Index at which a bundle with this first serial is, or would be inserted. */
function findIndex(bundles: readonly Bundle[], first: bigint): number {
  let [low, high] = [0, bundles.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const bundle = bundles[middle];
    if (bundle && bundle.first < first) low = middle + 1;
    else high = middle;
  }
  return low;
}
