// Renders the dashboards of deploy/observe/dashboards from src/.
import { broker } from './src/broker.ts';
import { channels } from './src/channels.ts';
import { database } from './src/database.ts';
import { nodeRuntime } from './src/node-runtime.ts';
import { toDashboard } from './src/panels.ts';
import { services } from './src/services.ts';
import { system } from './src/system.ts';
import { trade } from './src/trade.ts';

/** Texts of dashboards, by path in deploy/observe. */
export const observeFiles = (): Record<string, string> =>
  Object.fromEntries(
    [system, trade, channels, services, broker, database, nodeRuntime].map((dashboard) => [
      `dashboards/${dashboard.name}.json`,
      toDashboard(dashboard),
    ]),
  );
