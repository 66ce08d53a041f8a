/**
 * Test files that end what a worker keeps running from one test file to the next, such as a system that several files
 * share. The runner of tools/jest runs them in that worker after its last file of the same project.
 */
export const endings = new Set<string>();
