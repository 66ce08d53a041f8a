import type { z } from 'zod';

/** In what a registry sends, a missing optional member and null mean the same. */
export const optional = <S extends z.ZodType>(schema: S) =>
  schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
