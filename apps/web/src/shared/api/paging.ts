/** The cursor of the next page, from a `Link` header with `rel="next"` (RFC 8288). Undefined on the last one. */
export function nextCursor(link: string | null): string | undefined {
  for (const [, target, parameters] of (link ?? ' ').matchAll(/<([^<>]*)>([^,<]*)/g)) {
    if (target === undefined || !/;\s*rel="?next"?/.test(parameters ?? ' ')) continue;
    const { searchParams } = new URL(target, 'http://any');
    return searchParams.get('$after') ?? searchParams.get('after') ?? undefined;
  }
  return undefined;
}
