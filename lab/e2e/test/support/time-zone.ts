import { startSystem } from '../../src/system.ts';
import { issue, operator, retirementBody, seller, runTransfer, v1, type issuanceBody } from './api.ts';

/** Program that runs the whole system in the time zone of this process and prints the dates that it returns. */

/** The first does not exist on clocks in New York, which skip from 2:00 to 3:00; both are other days there. */
const consumptionPeriod = { start: '2024-03-10T02:30:00.000Z', end: '2024-12-31T23:59:59.999Z' };

interface Detail {
  readonly retirement: { readonly consumptionPeriod: object };
}

const system = await startSystem();
try {
  const [channel] = system.channels;
  const client = system.createClient(operator(channel));
  const dates = { productionStartDate: '2024-03-10T02:30:00.000Z', productionEndDate: '2024-11-03T05:30:00.000Z' };
  const { issuanceId, range } = await issue(system, channel, dates);
  const body = { ...retirementBody([range(1, 10)]), consumptionPeriod };
  const { responsePayload } = await runTransfer(client, seller(channel).id, 'retire', body);
  const detail = await client.ok<Detail>('GET', `${v1}/transactions/${responsePayload.id}/detail`);
  const ofRegistry = await system.registry.ok<Detail>('GET', `/Registry/api/transactions/${responsePayload.id}`);
  const issuance = await system.registry.ok<ReturnType<typeof issuanceBody>>(
    'GET',
    `/Registry/api/issuances/${issuanceId}`,
  );
  const shown = {
    offsetMinutes: new Date(consumptionPeriod.start).getTimezoneOffset(),
    channel: detail.retirement.consumptionPeriod,
    registry: ofRegistry.retirement.consumptionPeriod,
    issuance: { from: issuance.productionStartDate, to: issuance.productionEndDate },
  };
  process.stdout.write(`${JSON.stringify(shown)}\n`);
} finally {
  await system.stop();
}
