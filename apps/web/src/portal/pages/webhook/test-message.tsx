import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, dataOf } from '../../../shared/api/client.ts';
import { useSubmission } from '../../../shared/api/use-submission.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { Status } from '../../../shared/ui/page.tsx';
import { Failure, Read } from '../../../shared/ui/state.tsx';
import { AttemptFacts } from '../../webhooks/attempt.tsx';
import {
  deliveryPath,
  endpointKey,
  useDelivery,
  type Delivery,
  type DeliveryDetail,
} from '../../webhooks/endpoints.ts';
import { text } from './text.ts';

function Outcome({ delivery }: { readonly delivery: DeliveryDetail }) {
  const { status, lastAttempt } = delivery;
  return (
    <>
      <p role="status">
        {status === 'PENDING' && <Status tone="wait">{text.testSending}</Status>}
        {status === 'SUCCESS' && <Status tone="ok">{text.testArrived}</Status>}
        {status === 'FAILED' && <Status tone="bad">{text.testFailed}</Status>}
      </p>
      {lastAttempt && <AttemptFacts attempt={lastAttempt} />}
      <p>
        <Link href={deliveryPath(delivery)}>{text.testMore}</Link>
      </p>
    </>
  );
}

const Sent = ({ sent: { endpointId, id } }: { readonly sent: Delivery }) => (
  <Read of={useDelivery(endpointId, id)}>{(delivery) => <Outcome delivery={delivery} />}</Read>
);

/** Sends a message at once, and shows what became of it. */
export function TestMessage({ endpointId: webhookEndpointId }: { readonly endpointId: string }) {
  const queries = useQueryClient();
  const testing = useSubmission({
    mutationFn: () =>
      dataOf(
        api.POST('/saleschannel-services/v1/webhook-endpoints/{webhookEndpointId}/test', {
          params: { path: { webhookEndpointId } },
        }),
      ),
    onSuccess: () => queries.invalidateQueries({ queryKey: endpointKey(webhookEndpointId) }),
  });
  const close = (): void => {
    testing.reset();
    void queries.invalidateQueries({ queryKey: endpointKey(webhookEndpointId) });
  };
  return (
    <>
      <Button busy={testing.isPending} onClick={() => testing.mutate()}>
        {text.test}
      </Button>
      {(testing.data ?? testing.error) && (
        <Dialog title={text.testTitle} onClose={close} actions={<Button onClick={close}>{text.close}</Button>}>
          {testing.data ? <Sent sent={testing.data} /> : <Failure error={testing.error} />}
        </Dialog>
      )}
    </>
  );
}
