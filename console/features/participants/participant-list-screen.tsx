import { useMemo } from 'preact/hooks';
import { usePages } from '../../answers.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { Options } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PeriodFields } from '../../components/period-fields.tsx';
import { Coded, MailLink } from '../../components/person.tsx';
import { propertyColumns } from '../../components/property-fields.tsx';
import { PropertyFilter, useNoPart, usePart } from '../../components/property-filter.tsx';
import { SavedFilters } from '../../components/saved-filters.tsx';
import { EmptyState } from '../../components/states.tsx';
import { SurveyFilter } from '../../components/survey-select.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { fileName, tablePath } from '../../download.ts';
import { formatNumber, formatShare } from '../../format.ts';
import type { Property } from '../../groups.ts';
import { useSurveys } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useKeptList } from '../../records.ts';
import { useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { TimeBadge } from '../dates/dates-card.tsx';
import { strings as dates } from '../dates/dates-strings.ts';
import { occurrencesOf } from '../downloads/file-query.ts';
import { MoreFiles } from '../downloads/more-files.tsx';
import { AttentionFilter } from './attention-filter.tsx';
import { readFailed } from './failed-participants.ts';
import { compliance, isAttention, notSent, type Participant } from './participant-counts.ts';
import { strings } from './participant-list-strings.ts';
import { AttentionBadges, Seen } from './participant-status.tsx';

/** A value of the filter, beside the reasons for attention. */
const failed = 'failed';

/** Of 50 participants each. */
const maxLivePages = 6;

/** The compliance of each member in a period, and members who need attention. */
export function Participants() {
  const { study, id, screenPath, properties, can } = useStudy();
  const part = usePart();
  const none = useNoPart();
  const [{ from = '', to = '', survey = '', attention = '', code = '', time = '' }, change] = useQuery();
  const surveys = useSurveys(study.identifier);
  const query = {
    ...(from && { from }),
    ...(to && { to }),
    ...(survey && { survey }),
    ...(isAttention(attention) && { attention }),
    ...(code && !attention && { code }),
    ...(isTimeState(time) && { time }),
    ...part.filter,
  };
  const isFailed = attention === failed;
  const list = usePages(
    ['participants', id, query, isFailed],
    (cursor, options) =>
      isFailed
        ? readFailed(id, { ...query, cursor }, options)
        : compliance.$get({ param: { id }, query: { ...query, limit: '50', cursor } }, options),
    isFailed ? undefined : part.fills(50),
  );
  useStudyChanges(() => {
    // A long list stays as it is until somebody asks again.
    if ((list.pages ?? 0) <= maxLivePages) list.reload();
  });
  const head = list.data?.[0];
  const rows = list.data?.flatMap(({ participants }) => participants);
  const hasTimes = isTimeState(time) || rows?.some(({ time }) => time !== undefined);
  useKeptList(
    'participants',
    rows?.map(({ user }) => user),
  );
  const columns = useMemo(
    () =>
      columnsFor((user) => screenPath(`/participants/${user}${survey && `?survey=${survey}`}`), {
        withFailed: isFailed,
        properties,
      }),
    [screenPath, survey, isFailed, properties],
  );
  const clear = () => change({ from: '', to: '', survey: '', attention: '', code: '', time: '', ...none });

  return (
    <>
      <PageHead title={strings.title} about={strings.about}>
        {can('edit') && (
          <>
            <a class="button" href={screenPath('/members/codes')}>
              <Icon name="phone" />
              {strings.codes}
            </a>
            {can('design') && (
              <a class="button" href={screenPath('/members/information')}>
                <Icon name="survey" />
                {strings.information}
              </a>
            )}
          </>
        )}
        <DownloadButton
          path={tablePath(`/investigation/${id}/compliance`, query)}
          accept="text/csv"
          file={fileName(strings.file(study.name), 'csv')}
        >
          {isFailed ? strings.csvOfAll : common.csv}
        </DownloadButton>
        <MoreFiles occurrences={occurrencesOf(query)} />
      </PageHead>
      <div class="filters">
        <AttentionFilter attention={attention} code={code} onChange={change}>
          <option value={failed}>{strings.anyFailed}</option>
        </AttentionFilter>
        {hasTimes && (
          <label>
            <span>{dates.filter}</span>
            <select value={time} onChange={(event) => change({ time: event.currentTarget.value })}>
              <option value="">{dates.anyTime}</option>
              <Options of={Object.entries(dates.states)} />
            </select>
          </label>
        )}
        <SurveyFilter value={survey} surveys={surveys} onChange={(chosen) => change({ survey: chosen })} />
        <PropertyFilter />
        <PeriodFields from={from} to={to} onChange={change} />
        <SavedFilters screen="participants" />
      </div>
      {head && (
        <p class="muted totals">
          {strings.period(head.from, head.to)}{' '}
          <strong>
            {strings.totals(
              head.totals.due,
              head.totals.sent,
              head.totals.opened,
              head.totals.answered,
              head.totals.answeredLate,
            )}
          </strong>
        </p>
      )}
      <div class="participants">
        <Table
          saves
          caption={strings.caption}
          columns={columns}
          rows={rows}
          rowId={({ user }) => user}
          list={list}
          empty={
            <EmptyState icon="search" title={isFailed ? strings.noneFailed : strings.noneFound}>
              {isFailed && <p>{strings.noneFailedAbout}</p>}
              <Button onClick={clear}>{strings.clearFilters}</Button>
            </EmptyState>
          }
        />
      </div>
    </>
  );
}

const number = (label: string, of: (row: Participant) => number): Column<Participant> => ({
  label,
  kind: 'number',
  cell: (row) => formatNumber(of(row)),
});

const isTimeState = (text: string): text is keyof typeof dates.states => Object.hasOwn(dates.states, text);

const columnsFor = (
  pathOf: (user: string) => string,
  { withFailed, properties }: { withFailed: boolean; properties: readonly Property[] },
): Column<Participant>[] => [
  {
    label: strings.name,
    cell: ({ user, name, code, invitedAs, time }) => (
      <>
        <a href={pathOf(user)}>
          <Coded name={name} code={code} />
        </a>
        {invitedAs !== undefined && <MailLink name={name} address={invitedAs} />}
        {time !== undefined && (
          <>
            {' '}
            <TimeBadge state={time} />
          </>
        )}
      </>
    ),
  },
  ...propertyColumns<Participant>(properties),
  {
    label: strings.attention,
    cell: (row) => row.attention.length > 0 && <AttentionBadges {...row} />,
  },
  number(strings.due, ({ due }) => due),
  number(strings.sent, ({ sent }) => sent),
  number(strings.notSent, notSent),
  ...(withFailed ? [number(strings.failed, ({ failed }) => failed)] : []),
  number(strings.opened, ({ opened }) => opened),
  {
    label: strings.answered,
    kind: 'number',
    cell: ({ answered, answeredLate }) => (
      <>
        {formatNumber(answered)}
        {answeredLate > 0 && <span class="muted"> {strings.late(answeredLate)}</span>}
      </>
    ),
  },
  {
    label: strings.rate,
    kind: 'number',
    cell: ({ answered, due }) =>
      due > 0 ? formatShare(answered, due) : <span class="muted">{strings.noRate}</span>,
  },
  { label: strings.lastAnswered, kind: 'wide', cell: ({ lastAnsweredAt }) => <Seen at={lastAnsweredAt} /> },
  { label: strings.lastSeen, kind: 'wide', cell: ({ lastSeenAt }) => <Seen at={lastSeenAt} /> },
];
