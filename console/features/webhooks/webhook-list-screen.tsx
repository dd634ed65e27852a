import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { useAnswer } from '../../answers.ts';
import { api } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Choice, Group, TextField } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { EmptyState } from '../../components/states.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { useStudy } from '../../study-context.ts';
import { LastCall, progressOf, StateBadge, WebhookSecret } from './webhook-parts.tsx';
import { strings } from './webhook-strings.ts';
import { kindNames, useRepeated, type Webhook } from './webhooks.ts';

const ofStudy = api.investigation[':id'];
const maxWebhooks = 10;

/** The webhooks of the study, and a way to add one. */
export function Webhooks() {
  const { study, id, screenPath } = useStudy();
  const { route: go } = useLocation();
  const [adding, setAdding] = useState(false);
  const [added, setAdded] = useState<Webhook>();
  const list = useAnswer(['webhooks', id], (options) => ofStudy.webhooks.$get({ param: { id } }, options));
  useRepeated(list.reload);
  const rows = list.data?.webhooks;
  const isFull = (rows?.length ?? 0) >= maxWebhooks;

  const columns: Column<Webhook>[] = [
    {
      label: strings.url,
      cell: ({ url, identifier }) => <a href={screenPath(`/webhooks/${identifier}`)}>{new URL(url).host}</a>,
    },
    { label: strings.state, cell: (webhook) => <StateBadge {...webhook} /> },
    { label: strings.lastCall, cell: (webhook) => <LastCall {...webhook} /> },
    { label: strings.progress, cell: progressOf },
  ];
  return (
    <>
      <PageHead title={strings.title} about={strings.about}>
        {study.status === 'active' && rows && !isFull && (
          <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
            {strings.add}
          </Button>
        )}
      </PageHead>
      {isFull && <p class="note">{strings.full}</p>}
      <Table
        saves
        caption={strings.caption}
        columns={columns}
        rows={rows}
        rowId={({ identifier }) => identifier}
        list={{ ...list, hasMore: false, more: list.reload }}
        empty={<EmptyState icon="link" title={strings.empty} about={strings.emptyAbout} />}
      />
      {adding && (
        <AddDialog
          study={id}
          onClose={() => setAdding(false)}
          onDone={(webhook) => {
            setAdding(false);
            setAdded(webhook);
            list.reload();
          }}
        />
      )}
      {added?.secret !== undefined && (
        <WebhookSecret
          secret={added.secret}
          onClose={() => {
            setAdded(undefined);
            go(screenPath(`/webhooks/${added.identifier}`));
          }}
        />
      )}
    </>
  );
}

function AddDialog({
  study,
  onClose,
  onDone,
}: {
  study: string;
  onClose: () => void;
  onDone: (webhook: Webhook) => void;
}) {
  // Without an identifier: the answer to a repeated request would have no secret.
  async function add(form: FormData) {
    const chosen = kindNames.filter((kind) => form.get(kind) === 'on');
    const answer = await ofStudy.webhook.$post({
      param: { id: study },
      json: { url: String(form.get('url')).trim(), kinds: chosen },
    });
    onDone(await answer.json());
  }
  return (
    <FormDialog title={strings.add} onClose={onClose} submit={strings.add} onSubmit={add}>
      <TextField
        label={strings.url}
        name="url"
        pointer="/url"
        hint={strings.urlHint}
        inputMode="url"
        spellcheck={false}
        required
      />
      <Group label={strings.kinds} pointer="/kinds">
        {kindNames.map((kind) => (
          <Choice key={kind} name={kind} label={strings.kindNames[kind]} defaultChecked />
        ))}
      </Group>
    </FormDialog>
  );
}
