import { SecretDialog } from '../../components/secret-dialog.tsx';
import { Badge } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../format.ts';
import { strings } from './webhook-strings.ts';
import { type Call, tones, type Webhook } from './webhooks.ts';

export const StateBadge = ({ state }: Pick<Webhook, 'state'>) => (
  <Badge tone={tones[state]}>{strings.states[state]}</Badge>
);

/** How far the webhook is behind the study. */
export const progressOf = ({ position, latest }: Webhook): string =>
  position < latest ? strings.behind(formatNumber(position), formatNumber(latest)) : strings.upToDate;

/** The outcome of a call. */
export const Outcome = ({ status, error }: Pick<Call, 'status' | 'error'>) =>
  error === undefined ? (
    <Badge tone="good">{`${strings.received} (${status})`}</Badge>
  ) : (
    <Badge tone="bad">
      <bdi>{error}</bdi>
    </Badge>
  );

export const LastCall = ({ lastDelivery }: Pick<Webhook, 'lastDelivery'>) =>
  lastDelivery ? (
    <>
      <Outcome {...lastDelivery} /> <Time at={lastDelivery.at} distance />
    </>
  ) : (
    <span class="muted">{strings.never}</span>
  );

/** Shows the secret of a webhook. */
export const WebhookSecret = ({ secret, onClose }: { secret: string; onClose: () => void }) => (
  <SecretDialog
    title={strings.secretTitle}
    about={strings.secretAbout}
    label={strings.secret}
    secret={secret}
    done={strings.secretDone}
    onClose={onClose}
  />
);
