import type { ComponentChildren } from 'preact';
import { type AnswerOf, api, usePages } from '../api.ts';
import { Badge, EmptyState, type Tone } from '../components/states.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { withClocks } from '../format.ts';
import { strings } from '../strings/participant.ts';

const route = api.survey[':id'].notifications;
export type Notification = AnswerOf<typeof route.$get>['notifications'][number];

const tones: Record<Notification['state'], Tone> = {
  scheduled: 'accent',
  sent: 'good',
  skipped: 'warn',
  failed: 'bad',
  invalidated: 'plain',
};
const receipts = ['sentAt', 'shownAt', 'openedAt', 'dismissedAt', 'answeredAt'] as const;

/** The reminders of somebody for a survey, as far as they are read. */
export const useHistory = (survey: string, user: string) =>
  usePages(
    (cursor, signal) =>
      route.$get({ param: { id: survey }, query: { user, limit: '50', cursor } }, { init: { signal } }),
    [survey, user],
  );

/** Says of each reminder whether it came, what became of it, or why it did not come. */
export const History = ({ list }: { list: ReturnType<typeof useHistory> }) => (
  <Table
    caption={strings.caption}
    columns={columns}
    rows={list.data?.flatMap(({ notifications }) => notifications)}
    rowId={({ identifier, dueAt }) => `${identifier} ${dueAt}`}
    list={list}
    empty={
      <EmptyState icon="bell" title={strings.none}>
        <p>{strings.noneAbout}</p>
      </EmptyState>
    }
  />
);

const columns: readonly Column<Notification>[] = [
  { label: strings.due, cell: ({ dueAt, timeZone }) => <Time at={dueAt} zone={timeZone} /> },
  {
    label: strings.state,
    cell: ({ state }) => <Badge tone={tones[state]}>{strings.states[state]}</Badge>,
  },
  { label: strings.why, cell: (row) => <WhatHappened {...row} /> },
  {
    label: strings.phones,
    cell: ({ deliveries }) =>
      deliveries.length > 0 && (
        <ul class="plain-list">
          {deliveries.map(({ device, platform, error }) => (
            <li key={device}>
              {strings.phone(platform, device)}
              {error && `: ${error}`}
            </li>
          ))}
        </ul>
      ),
  },
];

function WhatHappened(row: Notification) {
  const { state, note, timeZone, followUps = [] } = row;
  return (
    <ul class="plain-list">
      {sentenceOf(row) && <li>{sentenceOf(row)}</li>}
      {note && <li>{withClocks(note, timeZone)}</li>}
      {receipts.map((name) => {
        const at = row[name];
        return at && <Moment key={name} label={strings[name]} at={at} zone={timeZone} />;
      })}
      {followUps.map(({ kind, dueAt, state: became, reason }) => (
        <Moment key={`${kind} ${dueAt}`} label={strings.kinds[kind]} at={dueAt} zone={timeZone}>
          : {strings.followUp[became]}
          {reason && strings.followUpWhy(reason)}
        </Moment>
      ))}
      {state === 'sent' && !row.answeredAt && <li class="muted">{strings.notAnswered}</li>}
    </ul>
  );
}

function sentenceOf({ state, reason, note }: Notification): string {
  if (state === 'skipped') return strings.because(reason ?? '');
  if (state === 'failed') return strings.failedFor(reason);
  if (state === 'invalidated') return strings.withdrawn(reason);
  return state === 'scheduled' && !note ? strings.planned : '';
}

const Moment = ({
  label,
  at,
  zone,
  children,
}: {
  label: string;
  at: string;
  zone: string;
  children?: ComponentChildren;
}) => (
  <li>
    {label} <Time at={at} zone={zone} />
    {children}
  </li>
);
