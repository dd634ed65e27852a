import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Pages, usePages } from '../../answers.ts';
import { type AnswerOf, read } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { PeriodFields } from '../../components/period-fields.tsx';
import { PrintButton, PrintHead } from '../../components/print.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { PropertyFilter, useNoPart, usePart } from '../../components/property-filter.tsx';
import { SavedFilters } from '../../components/saved-filters.tsx';
import { EmptyState, Unread } from '../../components/states.tsx';
import { SurveyFilter } from '../../components/survey-select.tsx';
import { fileName, saveTable } from '../../download.ts';
import { addDays, daysFrom, formatDate, todayIn } from '../../format.ts';
import { type Property, parameterOf } from '../../groups.ts';
import { useSurveys } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { cellOf } from '../../table-csv.ts';
import { useTask } from '../../task.ts';
import { occurrencesOf } from '../downloads/file-query.ts';
import { MoreFiles } from '../downloads/more-files.tsx';
import { AttentionFilter } from '../participants/attention-filter.tsx';
import { compliance, isAttention } from '../participants/participant-counts.ts';
import { strings } from './compliance-strings.ts';
import { dayStates, markOf } from './day-states.ts';
import { type DayRow, DayTable, daysOf, PrintedDays, textOf } from './day-table.tsx';
import { useFreshDays } from './fresh-days.ts';

const route = compliance.daily.participants;
type Page = AnswerOf<typeof route.$get>;

const pageSize = 50;
const ranges = [28, 91, 182, 366];

/** The participants by days, a page of them at a time. */
export function Compliance() {
  const { id, properties } = useStudy();
  const [{ from = '', to = '', survey = '', attention = '', code = '' }, change] = useQuery();
  const part = usePart();
  const none = useNoPart();
  const query = {
    ...(from && { from }),
    ...(to && { to }),
    ...(survey && { survey }),
    ...(isAttention(attention) && { attention }),
    ...(code && !attention && { code }),
    ...part.filter,
  };
  const list = usePages(
    ['compliance', id, query],
    (cursor, options) =>
      route.$get({ param: { id }, query: { ...query, limit: String(pageSize), cursor } }, options),
    part.fills(pageSize),
  );
  useStudyChanges((news) => {
    if (news.has('response')) list.reload();
  });
  const head = list.data?.[0];
  const isNone = head?.participants.length === 0 && !list.hasMore;
  const [printed, setPrinted] = useState<readonly DayRow[]>();
  const { run, busy, error } = useTask();
  const saveAll = async () =>
    saveTable(csvOf(await readAll(id, query), properties), fileName(strings.title, 'csv'));
  async function printAll() {
    setPrinted((await readAll(id, query)).flatMap(({ participants }) => participants));
    addEventListener('afterprint', () => setPrinted(undefined), { once: true });
    setTimeout(() => print());
  }

  return (
    <>
      <PageHead title={strings.title} about={strings.about}>
        {head && !isNone && (
          <>
            <Button icon="download" busy={busy === 'csv'} onClick={() => run(saveAll, 'csv')}>
              {strings.csv}
            </Button>
            <MoreFiles occurrences={occurrencesOf(query)} />
            <PrintButton busy={busy === 'print'} onClick={() => run(printAll, 'print')} />
          </>
        )}
      </PageHead>
      <PrintHead period={head && common.print.period(formatDate(head.from), formatDate(head.to))} />
      <Filters head={head} />
      {error !== undefined && <ProblemNote error={error} />}
      {head && <p class="muted">{strings.period(head.from, head.to)}</p>}
      <Legend />
      {!head ? (
        <Unread {...list} />
      ) : isNone ? (
        <EmptyState icon="search" title={strings.noneFound}>
          <Button onClick={() => change({ from: '', to: '', survey: '', attention: '', code: '', ...none })}>
            {strings.clearFilters}
          </Button>
        </EmptyState>
      ) : (
        <PageOf key={JSON.stringify([head.from, head.to, query])} list={list} head={head} printed={printed} />
      )}
      {list.error !== undefined && head && <ProblemNote error={list.error} onRetry={list.more} />}
    </>
  );
}

/** One of the pages that are read, with the ways to the others. */
function PageOf({
  list,
  head,
  printed,
}: {
  list: Pages<Page>;
  head: Page;
  printed: readonly DayRow[] | undefined;
}) {
  const { screenPath } = useStudy();
  const [{ survey = '' }] = useQuery();
  const pages = list.data ?? [];
  // The way back from a participant leads to the last page that was read.
  const [wanted, setWanted] = useState(Number.POSITIVE_INFINITY);
  const place = Math.min(wanted, pages.length - 1);
  const rows = pages[place]?.participants ?? [];
  const before = pages.slice(0, place).reduce((sum, { participants }) => sum + participants.length, 0);
  const fresh = useFreshDays(list.data);
  const frame = useRef<HTMLDivElement>(null);
  // The latest days first.
  useLayoutEffect(() => frame.current?.scrollTo(frame.current.scrollWidth, 0), []);
  const goTo = (page: number) => {
    setWanted(page);
    if (page === pages.length) list.more();
  };
  const table = {
    days: daysOf(head),
    fresh,
    pathOf: (user: string, day?: string) => {
      const query = new URLSearchParams({ ...(day && { day }), ...(survey && { survey }) });
      return screenPath(`/participants/${user}${query.size > 0 ? `?${query}` : ''}`);
    },
  };
  return (
    <>
      <nav class="row-actions" aria-label={strings.pages}>
        <span role="status">{strings.shown(before + 1, before + rows.length)}</span>
        {(list.hasMore || pages.length > 1) && (
          <>
            <Button icon="back" disabled={place === 0} onClick={() => goTo(place - 1)}>
              {strings.previous}
            </Button>
            <Button
              icon="chevron"
              busy={list.loading}
              disabled={place === pages.length - 1 && !list.hasMore}
              onClick={() => goTo(place + 1)}
            >
              {strings.next}
            </Button>
          </>
        )}
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section ref={frame} class="day-frame" tabIndex={0} aria-label={strings.title} aria-busy={list.loading}>
        <DayTable {...table} rows={rows} />
      </section>
      <PrintedDays {...table} rows={printed ?? rows} />
    </>
  );
}

/** The filters, kept in the address. */
function Filters({ head }: { head: Page | undefined }) {
  const { study } = useStudy();
  const surveys = useSurveys(study.identifier);
  const [{ from = '', to = '', survey = '', attention = '', code = '' }, change] = useQuery();
  const today = todayIn(study.timeZone);
  const days = head && daysFrom(head.from, head.to);
  const isPreset = days !== undefined && ranges.includes(days) && (!to || to === today);
  return (
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
      <PeriodFields from={from || head?.from} to={to || head?.to} onChange={change} />
      <SurveyFilter value={survey} surveys={surveys} onChange={(chosen) => change({ survey: chosen })} />
      <AttentionFilter attention={attention} code={code} onChange={change} />
      <PropertyFilter />
      <SavedFilters screen="compliance" />
    </div>
  );
}

/** All pages. */
async function readAll(
  id: string,
  query: NonNullable<Parameters<typeof route.$get>[0]['query']>,
): Promise<Page[]> {
  const pages: Page[] = [];
  do {
    const cursor = pages.at(-1)?.next;
    pages.push(await read(route.$get({ param: { id }, query: { ...query, limit: '100', cursor } })));
  } while (pages.at(-1)?.next !== undefined);
  return pages;
}

/** The days in words. */
function csvOf(pages: readonly Page[], properties: readonly Property[]): string {
  const names = properties.map(({ name }) => name);
  const days = pages[0] ? daysOf(pages[0]) : [];
  const rows: DayRow[] = pages.flatMap(({ participants }) => participants);
  return [
    [strings.participant, common.code, ...names.map(parameterOf), ...days.map(({ date }) => date)],
    ...rows.map((row) => [
      row.name,
      row.code ?? '',
      ...names.map((name) => row.properties?.[name] ?? ''),
      ...days.map(({ place }) => textOf(row, place)),
    ]),
  ]
    .map((cells) => `${cells.map(cellOf).join(',')}\r\n`)
    .join('');
}

/** Open where there is room for it. */
const Legend = () => (
  <details class="day-key" open={matchMedia('(width >= 40rem)').matches}>
    <summary>{strings.legend}</summary>
    <ul class="day-legend">
      {dayStates.map((outcome) => (
        <li key={outcome}>
          <span class={`day-sign day-${outcome}`} aria-hidden="true">
            {markOf(outcome, 2)}
          </span>
          {strings.states[outcome]}
        </li>
      ))}
    </ul>
  </details>
);
