/** The services that keep an audit trail, in the order in which they are read. */
export const auditedServices = ['identity', 'rbac', 'traders', 'inventory', 'registry-import', 'webhooks'] as const;

export type AuditedService = (typeof auditedServices)[number];

/** An event of an audit trail as its service hands it out. */
interface AuditEvent {
  /** Canonical JSON (RFC 8785), byte for byte as it was hashed. */
  readonly event: string;
  readonly hash: Buffer;
}

/**
 * The event as people and programs read it: with its hash as one more member, the last. Without that member it is again
 * what was hashed.
 */
export const auditLine = ({ event, hash }: AuditEvent): string =>
  `${event.slice(0, -1)},"hash":"${hash.toString('hex')}"}`;
