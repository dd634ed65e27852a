import { labelOf } from '../../answer-labels.ts';
import { usePages } from '../../answers.ts';
import { api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Avatar, Coded } from '../../components/person.tsx';
import { propertyColumns } from '../../components/property-fields.tsx';
import { usePart } from '../../components/property-filter.tsx';
import { Badge, EmptyState } from '../../components/states.tsx';
import type { Column } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { fromUnix } from '../../format.ts';
import { type Question, type Survey, useCaseLabels } from '../../names.ts';
import { useStudy } from '../../study-context.ts';
import { AnsweredReminder } from './answered-reminder.tsx';
import { allAsExpected } from './expected-states.ts';
import { type Filters, listQueryOf } from './item-filters.tsx';
import type { Case, Kind, Response } from './item-kinds.ts';
import { ItemList } from './item-list.tsx';
import { strings } from './item-strings.ts';
import { StateBadge } from './state-badge.tsx';
import { useWordings } from './wordings.ts';

const study = api.investigation[':id'];
const pageSize = 50;
const maxPreview = 90;

interface Props {
  filters: Filters;
  /** The screen offers the lock by filter. */
  hasMatching: boolean;
  onClear: () => void;
}

/** Replaces an empty list: there are no items, or none match the filters. */
function Empty({ kind, isFiltered, onClear }: { kind: Kind; isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <EmptyState icon="search" title={strings.noneFound}>
      <Button onClick={onClear}>{strings.clearFilters}</Button>
    </EmptyState>
  ) : (
    <EmptyState icon="table" title={strings.noneTitle[kind]} about={strings.noneAbout[kind]} />
  );
}

const isFiltered = ({ kind: _, state, ...more }: Filters) =>
  state !== 'active' || Object.keys(more).length > 0;

export function Cases({ filters, hasMatching, onClear }: Props) {
  const { id, screenPath, properties } = useStudy();
  const query = listQueryOf(filters);
  const list = usePages(
    ['cases', id, query],
    (cursor, options) =>
      study.cases.$get(
        { param: { id }, query: { ...query, include: 'lock', limit: String(pageSize), cursor } },
        options,
      ),
    usePart().fills(pageSize),
  );
  const columns: Column<Case>[] = [
    {
      label: strings.label,
      cell: ({ identifier, label, hidden }) => (
        <>
          <a href={screenPath(`/data/cases/${identifier}`)}>{label}</a>{' '}
          {hidden && <Badge>{strings.hidden}</Badge>}
        </>
      ),
    },
    {
      label: strings.creator,
      cell: ({ creatorIdentifier, creatorNames }) => (
        <Who user={creatorIdentifier} name={creatorNames || common.unseenPerson} />
      ),
    },
    ...propertyColumns<Case>(properties),
    { label: strings.changed, cell: ({ editedAt }) => <Time at={fromUnix(editedAt)} /> },
    { label: strings.state, cell: (item) => <StateBadge item={item} /> },
  ];
  return (
    <ItemList
      kind="cases"
      columns={columns}
      rows={list.data?.flatMap(({ cases }) => cases)}
      list={list}
      mutate={(to, request) =>
        list.mutate(
          (pages) => pages.map((page) => ({ ...page, cases: allAsExpected(to, page.cases) })),
          request,
        )
      }
      nameOf={({ label }) => label}
      ownerOf={({ creatorIdentifier }) => creatorIdentifier}
      hasMatching={hasMatching}
      empty={<Empty kind="cases" isFiltered={isFiltered(filters)} onClear={onClear} />}
    />
  );
}

export function Responses({
  filters,
  hasMatching,
  onClear,
  surveys,
}: Props & { surveys: readonly Survey[] }) {
  const { id, screenPath, properties } = useStudy();
  const query = listQueryOf(filters);
  const list = usePages(
    ['responses', id, query],
    (cursor, options) =>
      study.responses.$get(
        { param: { id }, query: { ...query, include: 'lock', limit: String(pageSize), cursor } },
        options,
      ),
    usePart().fills(pageSize),
  );
  const rows = list.data?.flatMap(({ responses }) => responses);
  const labels = useCaseLabels(id, [...new Set(rows?.map((row) => row.case))]);
  const caseOf = (row: Response) =>
    labels.get(row.case) ?? (labels.has(row.case) ? strings.unknownCase : '…');
  const questionsById = new Map(surveys.map(({ identifier, items }) => [identifier, items]));
  const findWording = useWordings(rows?.map((row) => ({ survey: row.survey, at: givenOf(row) })) ?? []);
  const questionsFor = (row: Response) =>
    findWording({ survey: row.survey, at: givenOf(row) })?.items ?? questionsById.get(row.survey);
  const surveyNames = new Map(surveys.map(({ identifier, name }) => [identifier, name]));
  const columns: Column<Response>[] = [
    {
      label: strings.case,
      cell: (row) => <a href={screenPath(`/data/responses/${row.identifier}`)}>{caseOf(row)}</a>,
    },
    {
      label: strings.survey,
      cell: (row) => (
        <>
          <SurveyName name={surveyNames.get(row.survey) ?? ''} />
          <span class="answered-reminder">
            <AnsweredReminder {...row} />
            {row.outdated && ` ${strings.wording.outdated}`}
          </span>
        </>
      ),
    },
    {
      label: strings.responder,
      cell: ({ responder, name, code }) => (
        <a class="plain-link" href={screenPath(`/data?responder=${responder}`)}>
          <Who user={responder} name={name} code={code} />
        </a>
      ),
    },
    ...propertyColumns<Response>(properties),
    {
      label: strings.answers,
      kind: 'wide',
      cell: (row) => <span class="answers-preview">{previewOf(row.items, questionsFor(row))}</span>,
    },
    { label: strings.changed, cell: ({ revisionUNIX }) => <Time at={fromUnix(revisionUNIX)} /> },
    { label: strings.state, cell: (item) => <StateBadge item={item} /> },
  ];
  return (
    <ItemList
      kind="responses"
      columns={columns}
      rows={rows}
      list={list}
      mutate={(to, request) =>
        list.mutate(
          (pages) => pages.map((page) => ({ ...page, responses: allAsExpected(to, page.responses) })),
          request,
        )
      }
      nameOf={(row) => `${caseOf(row)}, ${row.name}`}
      ownerOf={({ responder }) => responder}
      hasMatching={hasMatching}
      empty={<Empty kind="responses" isFiltered={isFiltered(filters)} onClear={onClear} />}
    />
  );
}

const Who = ({ user, name, code }: { user: string; name: string; code?: string | undefined }) => (
  <span class="with-avatar">
    <Avatar user={user} />
    <span>
      <Coded name={name} code={code} />
    </span>
  </span>
);

const SurveyName = ({ name }: { name: string }) => (
  <bdi class="clamp" title={name}>
    {name}
  </bdi>
);

/** When the answers were given: their labels are those of then. */
const givenOf = ({ givenAt, creation }: Response) => givenAt ?? creation;

/** The first answers, as many as fit into a cell. */
const previewOf = (items: Record<string, string>, questions: readonly Question[] = []): string =>
  Object.entries(items)
    .filter(([, answer]) => answer !== '')
    .map(([key, answer]) =>
      labelOf(
        questions.find(({ identifier }) => identifier === key),
        answer,
      ).slice(0, maxPreview),
    )
    .join(' · ')
    .slice(0, maxPreview);
