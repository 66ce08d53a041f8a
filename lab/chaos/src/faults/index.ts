import type { Unit } from '../fleet/layout.ts';
import { brokerFaults } from './broker.ts';
import { clockFaults } from './clocks.ts';
import { databaseFaults } from './database.ts';
import type { Fault } from './fault.ts';
import { linkFaults } from './links.ts';
import { messageFaults } from './messages.ts';
import { processFaults } from './processes.ts';
import { rolloutFaults } from './rollouts.ts';

export const listFaults = (units: readonly Unit[]): Fault[] => [
  ...processFaults(units),
  ...rolloutFaults(units),
  ...linkFaults(units),
  ...clockFaults(units),
  ...databaseFaults,
  ...brokerFaults,
  ...messageFaults,
];
