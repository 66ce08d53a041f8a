/** Scheme of the URL of a broker inside the process. */
export const IN_PROCESS = 'in-process:';

export const isInProcess = (url: string): boolean => url.startsWith(IN_PROCESS);
