export { createAdministration, type Administration } from './administration.ts';
