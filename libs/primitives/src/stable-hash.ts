/**
 * 32-bit hash that is the same in every process and release: FNV-1a over UTF-16 units, then the finalizer of
 * MurmurHash3, so that similar texts get different hashes. For distributing work only: it is not cryptographic.
 */
export function stableHash(text: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
