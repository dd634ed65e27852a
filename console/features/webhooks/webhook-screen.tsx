import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import { mutate, useAnswer } from '../../answers.ts';
import { Button } from '../../components/button.tsx';
import { Fact } from '../../components/fact.tsx';
import { TextField } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { EmptyState, Unread } from '../../components/states.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { formatList, formatNumber } from '../../format.ts';
import { useStudy } from '../../study-context.ts';
import { useTask } from '../../task.ts';
import { LastCall, Outcome, progressOf, StateBadge, WebhookSecret } from './webhook-parts.tsx';
import { strings } from './webhook-strings.ts';
import { type Call, ofWebhook, useRepeated, type Webhook } from './webhooks.ts';

/** One webhook: its state and calls, and what its owners can do about it. */
export function WebhookPage() {
  const { screenPath } = useStudy();
  const { params } = useRoute();
  const id = params.webhook ?? '';
  const { data, error, reload } = useAnswer(['webhook', id], (options) =>
    ofWebhook.$get({ param: { id } }, options),
  );
  const onChanged = () => mutate(['webhook', id]);
  useRepeated(onChanged);
  return (
    <>
      <PageHead
        title={data ? new URL(data.url).host : strings.oneTitle}
        back={{ href: screenPath('/webhooks'), label: strings.back }}
      />
      {data ? (
        <>
          <Facts webhook={data} />
          <Actions webhook={data} onChanged={onChanged} />
          <Calls id={id} />
        </>
      ) : (
        <Unread error={error} reload={reload} />
      )}
    </>
  );
}

const Facts = ({ webhook }: { webhook: Webhook }) => {
  const { url, kinds, state, createdAt, failingSince, nextAttemptAt, oldSecretUntil } = webhook;
  return (
    <section class="card">
      <dl class="facts">
        <Fact term={strings.url}>
          <bdi>{url}</bdi>
        </Fact>
        <Fact term={strings.kinds}>{formatList(kinds.map((kind) => strings.kindNames[kind]))}</Fact>
        <Fact term={strings.state}>
          <StateBadge state={state} /> <span class="muted">{strings.stateAbout[state]}</span>
        </Fact>
        <Fact term={strings.lastCall}>
          <LastCall {...webhook} />
        </Fact>
        <Fact term={strings.progress}>{progressOf(webhook)}</Fact>
        {failingSince && (
          <Fact term={strings.failingSince}>
            <Time at={failingSince} distance />
          </Fact>
        )}
        {nextAttemptAt && (
          <Fact term={strings.nextTry}>
            <Time at={nextAttemptAt} distance />
          </Fact>
        )}
        {oldSecretUntil && (
          <Fact term={strings.oldSecretUntil}>
            <Time at={oldSecretUntil} />
          </Fact>
        )}
        <Fact term={strings.added}>
          <Time at={createdAt} />
        </Fact>
      </dl>
    </section>
  );
};

type Asking = 'replay' | 'rotate' | 'remove';

function Actions({ webhook, onChanged }: { webhook: Webhook; onChanged: () => void }) {
  const { screenPath } = useStudy();
  const { route: go } = useLocation();
  const toast = useToast();
  const [asking, setAsking] = useState<Asking>();
  const { run, busy, error } = useTask();
  const [secret, setSecret] = useState<string>();
  const param = { id: webhook.identifier };
  const isCalled = webhook.state === 'active' || webhook.state === 'failing';
  const close = () => setAsking(undefined);

  async function test() {
    const { status, error } = await (await ofWebhook.test.$post({ param })).json();
    toast({ text: error === undefined ? strings.testReceived(status ?? 0) : strings.testFailed(error) });
    onChanged();
  }
  async function setState(state: 'active' | 'paused') {
    await ofWebhook.$patch({ param, json: { state } });
    onChanged();
  }
  async function toggle() {
    await setState(isCalled ? 'paused' : 'active');
    toast(
      isCalled
        ? { text: strings.paused, undo: () => setState('active') }
        : { text: strings.resumed, undo: () => setState('paused') },
    );
  }
  async function rotate() {
    const answer = await (await ofWebhook.rotate.$post({ param })).json();
    close();
    setSecret(answer.secret);
    onChanged();
  }
  async function remove() {
    await ofWebhook.$delete({ param });
    toast({ text: strings.removed });
    go(screenPath('/webhooks'), true);
  }
  async function replay(form: FormData) {
    const after = Number(form.get('after'));
    await ofWebhook.replay.$post({ param, json: { after } });
    close();
    toast({ text: strings.replayed(after) });
    onChanged();
  }
  return (
    <>
      {error !== undefined && <ProblemNote error={error} />}
      <p class="row-actions">
        <Button icon="bell" busy={busy === 'test'} onClick={() => run(test, 'test')}>
          {strings.test}
        </Button>
        <Button icon={isCalled ? 'freeze' : 'restore'} onClick={() => run(toggle)}>
          {isCalled ? strings.pause : strings.resume}
        </Button>
        <Button icon="history" onClick={() => setAsking('replay')}>
          {strings.replay}
        </Button>
        <Button icon="shield" onClick={() => setAsking('rotate')}>
          {strings.rotate}
        </Button>
        <Button kind="danger" icon="trash" onClick={() => setAsking('remove')}>
          {strings.remove}
        </Button>
      </p>
      {asking === 'replay' && (
        <FormDialog title={strings.replayTitle} onClose={close} submit={strings.replay} onSubmit={replay}>
          <p>{strings.replayAbout(webhook.position, webhook.latest)}</p>
          <TextField
            label={strings.after}
            name="after"
            pointer="/after"
            type="number"
            min={0}
            max={webhook.latest}
            defaultValue={String(webhook.position)}
            required
          />
        </FormDialog>
      )}
      {asking === 'rotate' && (
        <FormDialog title={strings.rotateTitle} onClose={close} submit={strings.rotate} onSubmit={rotate}>
          <p>{strings.rotateAbout}</p>
        </FormDialog>
      )}
      {asking === 'remove' && (
        <FormDialog
          title={strings.removeTitle}
          onClose={close}
          submit={strings.remove}
          kind="danger"
          onSubmit={remove}
        >
          <p>{strings.removeAbout}</p>
        </FormDialog>
      )}
      {secret !== undefined && <WebhookSecret secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}

const columns: readonly Column<Call>[] = [
  { label: strings.at, cell: ({ at }) => <Time at={at} /> },
  { label: strings.outcome, cell: (call) => <Outcome {...call} /> },
  {
    label: strings.changes,
    kind: 'number',
    cell: ({ changes }) => (changes === 0 ? strings.testCall : formatNumber(changes)),
  },
  {
    label: strings.duration,
    kind: 'number',
    cell: ({ durationMs }) => strings.milliseconds(formatNumber(durationMs)),
  },
  { label: strings.identifier, kind: 'wide', cell: ({ id }) => <span class="code">{id}</span> },
];

function Calls({ id }: { id: string }) {
  const list = useAnswer(['webhook', id, 'deliveries'], (options) =>
    ofWebhook.deliveries.$get({ param: { id } }, options),
  );
  return (
    <section class="apart" aria-labelledby="calls">
      <h2 id="calls">{strings.calls}</h2>
      <p class="muted">{strings.callsAbout}</p>
      <Table
        saves
        caption={strings.callsCaption}
        columns={columns}
        rows={list.data?.deliveries}
        rowId={({ id, at }) => `${id} ${at}`}
        list={{ ...list, hasMore: false, more: list.reload }}
        empty={<EmptyState icon="history" title={strings.noCalls} />}
      />
    </section>
  );
}
