import { spawn } from 'node:child_process';

const commands: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens the address where the person browses, if there is such a place. The address is shown too. */
export function openBrowser(url: string): void {
  const [command, ...words] = commands[process.platform] ?? ['xdg-open'];
  const started = spawn(command, [...words, url], { stdio: 'ignore', detached: true });
  started.on('error', () => undefined);
  started.unref();
}
