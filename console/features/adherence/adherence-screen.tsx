import { useEffect, useState } from 'preact/hooks';
import { usePages } from '../../answers.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PrintButton, PrintHead } from '../../components/print.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { SavedFilters } from '../../components/saved-filters.tsx';
import { EmptyState, Loading } from '../../components/states.tsx';
import { SurveyFilter } from '../../components/survey-select.tsx';
import { fileName, saveText } from '../../download.ts';
import { addDays, datesFrom, daysFrom, formatDate, todayIn } from '../../format.ts';
import { useSurveys } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { cellOf } from '../../table-csv.ts';
import { AttentionFilter } from '../participants/attention-filter.tsx';
import { compliance, isAttention } from '../participants/compliance.ts';
import { AdherenceMap, type MapRow, textOf } from './adherence-map.tsx';
import { strings } from './adherence-strings.ts';
import { dayStates, markOf } from './day-states.ts';
import { useFreshDays } from './fresh-days.ts';
import { PrintedMap } from './printed-map.tsx';

const pageSize = '100';
/** A map of more people stays as it is until somebody opens it again. */
const maxLivePages = 3;
const ranges = [28, 91, 182, 366];

/** The participants by days, as far as somebody has scrolled. */
export function Adherence() {
  const { study, screenPath } = useStudy();
  const id = study.identifier;
  const surveys = useSurveys(id);
  const [{ from = '', to = '', survey = '', attention = '', code = '' }, change] = useQuery();
  const query = {
    ...(from && { from }),
    ...(to && { to }),
    ...(survey && { survey }),
    ...(isAttention(attention) && { attention }),
    ...(code && !attention && { code }),
  };
  const list = usePages(['adherence', id, query], (cursor, signal) =>
    compliance.daily.participants.$get(
      { param: { id }, query: { ...query, limit: pageSize, cursor } },
      { init: { signal } },
    ),
  );
  const fresh = useFreshDays(list.data);
  useStudyChanges((news) => {
    if (news.has('response') && (list.pages ?? 0) <= maxLivePages) list.reload();
  });
  const head = list.data?.[0];
  const rows = list.data?.flatMap(({ participants }) => participants);
  const [isPrinting, setPrinting] = useState(false);
  const isWhole = isPrinting && !list.hasMore && !list.loading;
  useEffect(() => {
    if (isPrinting && list.hasMore && !list.loading && list.error === undefined) list.more();
    if (!isWhole) return;
    const end = () => setPrinting(false);
    addEventListener('afterprint', end, { once: true });
    // Once the map has all rows.
    const timer = setTimeout(() => print());
    return () => {
      clearTimeout(timer);
      removeEventListener('afterprint', end);
    };
  }, [isPrinting, isWhole, list.hasMore, list.loading]);
  const clear = () => change({ from: '', to: '', survey: '', attention: '', code: '' });
  const today = todayIn(study.timeZone);
  const days = head && daysFrom(head.from, head.to);
  const isPreset = days !== undefined && ranges.includes(days) && (!to || to === today);

  return (
    <>
      <PageHead title={strings.title} about={strings.about}>
        {head && rows && rows.length > 0 && (
          <>
            <Button
              icon="download"
              onClick={() =>
                void saveText(
                  csvOf(datesFrom(head.from, head.to), rows),
                  fileName(strings.title, 'csv'),
                  'text/csv',
                )
              }
            >
              {strings.csv}
            </Button>
            <PrintButton busy={isPrinting} onClick={() => setPrinting(true)} />
          </>
        )}
      </PageHead>
      <PrintHead period={head && common.print.period(formatDate(head.from), formatDate(head.to))} />
      <div class="filters">
        <label>
          <span>{strings.range}</span>
          <select
            value={isPreset ? days : ''}
            onChange={({ currentTarget: { value } }) =>
              change(
                value === '28' || !value
                  ? { from: '', to: '' }
                  : { from: addDays(today, 1 - Number(value)), to: today },
              )
            }
          >
            {!isPreset && <option value="">{strings.otherRange}</option>}
            {ranges.map((n) => (
              <option key={n} value={n}>
                {strings.ranges[n]}
              </option>
            ))}
          </select>
        </label>
        {(['from', 'to'] as const).map((edge) => (
          <label key={edge}>
            <span>{strings[edge]}</span>
            <input
              type="date"
              value={(edge === 'from' ? from : to) || (head?.[edge] ?? '')}
              onChange={(event) => change({ [edge]: event.currentTarget.value })}
            />
          </label>
        ))}
        <SurveyFilter value={survey} surveys={surveys} onChange={(chosen) => change({ survey: chosen })} />
        <AttentionFilter attention={attention} code={code} onChange={change} />
        <SavedFilters screen="adherence" />
      </div>
      {head && (
        <p class="muted map-period">
          {strings.period(head.from, head.to)} {rows && strings.shown(rows.length, list.hasMore)}
        </p>
      )}
      <Legend />
      {!head || !rows ? (
        list.error ? (
          <ProblemNote error={list.error} onRetry={list.reload} />
        ) : (
          <Loading />
        )
      ) : rows.length === 0 && !list.hasMore ? (
        <EmptyState icon="search" title={strings.noneFound}>
          <Button onClick={clear}>{strings.clearFilters}</Button>
        </EmptyState>
      ) : (
        <AdherenceMap
          key={JSON.stringify([head.from, head.to, query])}
          from={head.from}
          to={head.to}
          rows={rows}
          list={list}
          fresh={fresh}
          pathOf={(user, day) => {
            const ofSurvey = survey && `survey=${encodeURIComponent(survey)}`;
            const asked = [day && `day=${day}`, ofSurvey].filter(Boolean).join('&');
            return screenPath(`/participants/${user}${asked && `?${asked}`}`);
          }}
        />
      )}
      {head && rows && <PrintedMap dates={datesFrom(head.from, head.to)} rows={rows} />}
      {list.error !== undefined && rows && <ProblemNote error={list.error} onRetry={list.more} />}
    </>
  );
}

/** The rows that are read, with the days in words. */
const csvOf = (dates: readonly string[], rows: readonly MapRow[]): string =>
  [
    [strings.participant, strings.csvCode, ...dates],
    ...rows.map((row) => [row.name, row.code ?? '', ...dates.map((_, day) => textOf(row, day))]),
  ]
    .map((cells) => `${cells.map(cellOf).join(',')}\r\n`)
    .join('');

/** Open where there is room for it. */
const Legend = () => (
  <details class="map-key" open={matchMedia('(width >= 40rem)').matches}>
    <summary>{strings.legend}</summary>
    <ul class="map-legend">
      {dayStates.map((outcome) => (
        <li key={outcome}>
          <span class={`map-sign day-${outcome}`} aria-hidden="true">
            {markOf(outcome, 2)}
          </span>
          {strings.states[outcome]}
        </li>
      ))}
    </ul>
  </details>
);
