import type { ComponentChildren } from 'preact';
import { usePages } from '../../answers.ts';
import { type AnswerOf, api, type Readable, read } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Badge, EmptyState, type Tone } from '../../components/states.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { addDays, formatDate, withClocks } from '../../format.ts';
import type { RequestOptions } from '../../list-pages.ts';
import type { Survey } from '../../names.ts';
import { useStudy } from '../../study-context.ts';
import { strings } from './participant-strings.ts';

const route = api.investigation[':id'].notifications;
const surveyRoute = api.survey[':id'].notifications;
export type Notification = AnswerOf<typeof route.$get>['notifications'][number];

const tones: Record<Notification['state'], Tone> = {
  scheduled: 'accent',
  sent: 'good',
  skipped: 'warn',
  failed: 'bad',
  invalidated: 'plain',
};
const receipts = ['sentAt', 'shownAt', 'openedAt', 'dismissedAt', 'answeredAt', 'answerReceivedAt'] as const;

interface HistoryPage {
  notifications: Notification[];
  next?: string | undefined;
}

/** No zone is further from UTC than this, so no date begins or ends further away. */
const furthestMs = 14 * 3_600_000;

/** A person's reminders for all surveys of the study or one of them, on all days or one of them, as far as they are read. */
export function useHistory(survey: string, user: string, day = '', limit = 50) {
  const study = useStudy().id;
  const ask = (
    query: { user: string; limit: string; cursor?: string | undefined; before?: string },
    options: RequestOptions,
  ) => {
    return survey
      ? surveyRoute.$get({ param: { id: survey }, query }, options)
      : route.$get({ param: { id: study }, query }, options);
  };

  /** The service knows no days: those around it are read, too. */
  async function readDay(options: RequestOptions): Promise<HistoryPage> {
    const begun = Date.parse(`${day}T00:00:00Z`) - furthestMs;
    const before = new Date(Date.parse(`${addDays(day, 1)}T00:00:00Z`) + furthestMs).toISOString();
    const notifications: Notification[] = [];
    let page: HistoryPage | undefined;
    do {
      page = await read<Readable & { json(): Promise<HistoryPage> }>(
        ask({ user, limit: '100', before, cursor: page?.next }, options),
      );
      notifications.push(...page.notifications.filter(({ on }) => on === day));
      // A page without any goes on to the next.
    } while (page.next !== undefined && !(Date.parse(page.notifications.at(-1)?.dueAt ?? '') <= begun));
    return { notifications };
  }

  return usePages<HistoryPage>(['history', study, survey, user, day, limit], async (cursor, options) =>
    day ? { json: () => readDay(options) } : ask({ user, limit: String(limit), cursor }, options),
  );
}

/** Says of each reminder whether it was sent, its outcome, or why it was not sent. */
export const History = ({
  list,
  surveys,
  day,
}: {
  list: ReturnType<typeof useHistory>;
  /** The only day that is shown. */
  day?: string;
  /** The surveys in the list. With several of them each row names its own. */
  surveys: readonly Survey[];
}) => (
  <Table
    saves
    caption={strings.caption}
    columns={useColumns(surveys)}
    rows={list.data?.flatMap(({ notifications }) => notifications)}
    rowId={({ identifier, dueAt }) => `${identifier} ${dueAt}`}
    list={list}
    empty={
      day ? (
        <EmptyState icon="bell" title={strings.noneOn(formatDate(day))} about={strings.noneOnAbout} />
      ) : (
        <EmptyState icon="bell" title={strings.none} about={strings.noneAbout} />
      )
    }
  />
);

function useColumns(surveys: readonly Survey[]): Column<Notification>[] {
  const { screenPath } = useStudy();
  if (surveys.length < 2) return [due, ...outcome];
  const names = new Map(surveys.map(({ identifier, name }) => [identifier, name]));
  const survey: Column<Notification> = {
    label: common.survey,
    cell: ({ survey: id }) => (
      <a href={screenPath(`/surveys/${id}`)}>
        <bdi>{names.get(id) ?? common.survey}</bdi>
      </a>
    ),
  };
  return [due, survey, ...outcome];
}

const due: Column<Notification> = {
  label: strings.due,
  cell: ({ dueAt, timeZone }) => <Time at={dueAt} zone={timeZone} />,
};

const outcome: readonly Column<Notification>[] = [
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
        const label = name === 'answeredAt' && row.answeredLate ? strings.answeredLate : strings[name];
        return at && <Moment key={name} label={label} at={at} zone={timeZone} />;
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
