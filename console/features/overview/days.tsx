import { type Answer, useAnswer } from '../../answers.ts';
import { usePart } from '../../components/property-filter.tsx';
import { EmptyState, Unread } from '../../components/states.tsx';
import { SurveyFilter } from '../../components/survey-select.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { formatDate, formatNumber } from '../../format.ts';
import type { Survey } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useStudy } from '../../study-context.ts';
import { compliance, type Days } from '../participants/participant-counts.ts';
import { strings } from './overview-strings.ts';
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

/** The counts of each of the last 28 days, of one survey or of all. */
export function useDays(survey?: string) {
  const id = useStudy().id;
  const { filter } = usePart();
  return useAnswer(['days', id, survey, filter], (options) =>
    compliance.daily.$get({ param: { id }, query: { ...(survey && { survey }), ...filter } }, options),
  );
}

interface Props {
  surveys: readonly Survey[];
  /** The sum of all surveys. */
  all: Answer<Days>;
}

/** The last 28 days: as lines, and as numbers. */
export function DayByDay(props: Props) {
  const [{ survey = '' }] = useQuery();
  return survey ? <OfSurvey {...props} survey={survey} /> : <Shown {...props} days={props.all} />;
}

const OfSurvey = ({ survey, ...props }: Props & { survey: string }) => (
  <Shown {...props} days={useDays(survey)} />
);

function Shown({ surveys, days }: Props & { days: Answer<Days> }) {
  const { screenPath } = useStudy();
  const [{ survey = '' }, change] = useQuery();
  const { data, error, loading, reload } = days;
  return (
    <section class="card" aria-labelledby="days" aria-busy={loading}>
      <div class="days-head">
        <h2 id="days">{strings.days}</h2>
        <div class="filters">
          <SurveyFilter value={survey} surveys={surveys} onChange={(chosen) => change({ survey: chosen })} />
        </div>
      </div>
      {error !== undefined || !data ? (
        <Unread error={error} reload={reload} />
      ) : data.days.every(({ due }) => due === 0) ? (
        <EmptyState icon="bell" title={strings.noDays} about={strings.noDaysAbout}>
          <a href={screenPath('/surveys')}>{strings.toSurveys}</a>
        </EmptyState>
      ) : (
        <>
          <p class="muted">{strings.daysAbout(data.from, data.to)}</p>
          <Plot days={data.days} />
          <details>
            <summary>{strings.asTable}</summary>
            <Table
              saves
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
