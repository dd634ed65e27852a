import { useAnswer } from '../api.ts';
import { ProblemNote } from '../components/problem-note.tsx';
import { EmptyState, Loading } from '../components/states.tsx';
import { SurveySelect } from '../components/survey-select.tsx';
import { type Column, Table } from '../components/table.tsx';
import type { Survey } from '../data/names.ts';
import { formatDate, formatNumber } from '../format.ts';
import { compliance } from '../participants/compliance.ts';
import { useQuery } from '../query.ts';
import { strings } from '../strings/overview.ts';
import { useStudy } from '../study.ts';
import { Plot } from './plot.tsx';
import { type Day, series } from './series.ts';

const columns: readonly Column<Day>[] = [
  { label: strings.date, cell: ({ date }) => formatDate(date) },
  ...series.map((name) => ({
    label: strings.series[name],
    kind: 'number' as const,
    cell: (day: Day) => formatNumber(day[name]),
  })),
];

/** How the last 28 days went: as lines, and as the numbers themselves. */
export function DayByDay({ surveys }: { surveys: readonly Survey[] }) {
  const { study, screenPath } = useStudy();
  const [{ survey = '' }, change] = useQuery();
  const id = study.identifier;
  const { data, error, loading, reload } = useAnswer(
    (signal) =>
      compliance.daily.$get({ param: { id }, query: survey ? { survey } : {} }, { init: { signal } }),
    [id, survey],
  );
  return (
    <section class="card" aria-labelledby="days" aria-busy={loading}>
      <div class="days-head">
        <h2 id="days">{strings.days}</h2>
        <div class="filters">
          <SurveySelect
            label={strings.survey}
            any={strings.anySurvey}
            value={survey}
            surveys={surveys}
            onChange={(chosen) => change({ survey: chosen })}
          />
        </div>
      </div>
      {error !== undefined ? (
        <ProblemNote error={error} onRetry={reload} />
      ) : !data ? (
        <Loading />
      ) : data.days.every(({ due }) => due === 0) ? (
        <EmptyState icon="bell" title={strings.noDays}>
          <p>{strings.noDaysAbout}</p>
          <a href={screenPath('/surveys')}>{strings.toSurveys}</a>
        </EmptyState>
      ) : (
        <>
          <p class="muted">{strings.daysAbout(data.from, data.to, study.timeZone)}</p>
          <Plot days={data.days} />
          <details>
            <summary>{strings.asTable}</summary>
            <Table
              caption={strings.tableCaption}
              columns={columns}
              rows={data.days.toReversed()}
              rowId={({ date }) => date}
              list={{ error: undefined, loading, hasMore: false, more: reload, reload }}
              empty={null}
            />
          </details>
        </>
      )}
    </section>
  );
}
