import { Chip } from '../../components/chip.tsx';
import { CodeFilter } from '../../components/code-filter.tsx';
import { Options } from '../../components/form.tsx';
import { PropertyFilter, usePart } from '../../components/property-filter.tsx';
import { SavedFilters } from '../../components/saved-filters.tsx';
import { SurveyFilter } from '../../components/survey-select.tsx';
import { formatDate } from '../../format.ts';
import { listFilter, type Properties } from '../../groups.ts';
import type { Survey } from '../../names.ts';
import { useQuery } from '../../query.ts';
import { useStudy } from '../../study-context.ts';
import { isKind, isStateFilter, type Kind, type StateFilter, stateFilters } from './item-kinds.ts';
import { strings } from './item-strings.ts';

/** The filters of the list, kept in the address, so that a link shows the same list. */
export interface Filters {
  kind: Kind;
  state: StateFilter;
  survey?: string;
  case?: string;
  responder?: string;
  /** The responder's code. */
  code?: string;
  /** A date of the viewer's calendar. */
  since?: string;
  /** Chosen values by name. */
  properties?: Properties;
}

/** Texts of the address. */
type FilterTexts = Partial<Record<Exclude<keyof Filters, 'properties'>, string>>;

const names = ['survey', 'case', 'responder', 'code', 'since'] as const;

/** The filters of the address, and a function to change them. */
export function useFilters(): [Filters, (change: FilterTexts) => void] {
  const [query, change] = useQuery();
  const { chosen } = usePart();
  const filters: Filters = {
    kind: isKind(query.kind) ? query.kind : 'responses',
    state: isStateFilter(query.state) ? query.state : 'active',
  };
  for (const name of names) if (query[name]) filters[name] = query[name];
  if (Object.keys(chosen).length > 0) filters.properties = chosen;
  return [filters, change];
}

/** The service's `since`, in Unix seconds, of a moment as a field of the browser has it. */
export function sinceOf(local: string): number | undefined {
  const at = new Date(local).getTime();
  return Number.isFinite(at) ? Math.max(0, Math.floor(at / 1000)) : undefined;
}

/** The beginning of the date of the list's filter, in Unix seconds. */
export const listedSince = ({ since }: Filters) =>
  since === undefined ? undefined : sinceOf(`${since}T00:00`);

/** The filters as parameters of the service's lists. */
export function listQueryOf(filters: Filters) {
  const { kind, state, survey, case: ofCase, responder, code, properties = {} } = filters;
  const since = listedSince(filters);
  return {
    ...stateFilters[state],
    ...listFilter(properties),
    ...(since !== undefined && { since: String(since) }),
    ...(kind === 'responses' && {
      ...(survey && { survey }),
      ...(ofCase && { case: ofCase }),
      ...(responder && { responder }),
      ...(code && { code }),
    }),
  };
}

interface Props {
  filters: Filters;
  change: (changes: FilterTexts) => void;
  surveys: readonly Survey[];
  caseLabel: string | null | undefined;
  responderName: string | null | undefined;
}

/** Tabs for the two kinds, and the filters. */
export function DataFilters({ filters, change, surveys, caseLabel, responderName }: Props) {
  const { can } = useStudy();
  const { kind, state, survey = '', since = '' } = filters;
  const states = (Object.keys(stateFilters) as StateFilter[]).filter(
    (name) => name !== 'deleted' || can('own'),
  );
  return (
    <div class="filters">
      <fieldset class="tabs" aria-label={strings.kindsLabel}>
        {(['responses', 'cases'] as const).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={kind === name}
            onClick={() => change({ kind: name === 'responses' ? '' : name })}
          >
            {strings.kinds[name]}
          </button>
        ))}
      </fieldset>
      <label>
        <span>{strings.state}</span>
        <select value={state} onChange={(event) => change({ state: event.currentTarget.value })}>
          <Options of={states.map((name) => [name, strings.states[name]])} />
        </select>
      </label>
      {kind === 'responses' && (
        <SurveyFilter value={survey} surveys={surveys} onChange={(chosen) => change({ survey: chosen })} />
      )}
      {kind === 'responses' && can('readAll') && (
        <CodeFilter value={filters.code ?? ''} onChange={(typed) => change({ code: typed })} />
      )}
      <label>
        <span>{Number.isNaN(Date.parse(since)) ? strings.since : strings.sinceDate(formatDate(since))}</span>
        <input type="date" value={since} onChange={(event) => change({ since: event.currentTarget.value })} />
      </label>
      <PropertyFilter />
      <SavedFilters screen="data" />
      {kind === 'responses' && filters.case && (
        <Chip
          text={strings.ofCase(caseLabel ?? '…')}
          label={strings.removeFilter}
          onRemove={() => change({ case: '' })}
        />
      )}
      {kind === 'responses' && filters.responder && (
        <Chip
          text={strings.ofResponder(responderName ?? '…')}
          label={strings.removeFilter}
          onRemove={() => change({ responder: '' })}
        />
      )}
    </div>
  );
}
