export { createAdministration, type Administration } from './administration.ts';
export { createPowers, type Powers } from './powers.ts';
