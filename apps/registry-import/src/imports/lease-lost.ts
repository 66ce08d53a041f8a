/** Another replica works on the import: this one must leave it. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}
