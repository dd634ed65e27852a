import { useState } from 'preact/hooks';
import { usePages } from '../../answers.ts';
import { api, isProblem } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Chip } from '../../components/chip.tsx';
import { CodeFilter } from '../../components/code-filter.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Coded } from '../../components/person.tsx';
import { PrintButton, PrintHead } from '../../components/print.tsx';
import { SavedFilters } from '../../components/saved-filters.tsx';
import { EmptyState } from '../../components/states.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { fileName } from '../../download.ts';
import { formatTime, viewerZone } from '../../format.ts';
import { type Names, useMemberNames, useSurveyNames } from '../../names.ts';
import { messageOf } from '../../problem.ts';
import { useQuery } from '../../query.ts';
import { type Entry, useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { strings } from './activity-strings.ts';
import { EntryDetails, isIdentifier } from './entry-details.tsx';
import { Review } from './review.tsx';
import { Verification } from './verification.tsx';

const route = api.investigation[':id'].activity;
const actions = strings.actions;
type Action = keyof typeof actions;
const isAction = (text: string | undefined): text is Action =>
  text !== undefined && Object.hasOwn(actions, text);

const columnsWith = (codes: Codes): readonly Column<Entry>[] => [
  {
    label: strings.who,
    cell: ({ actor, actorName, redacted }) => (
      <Coded name={actorName || (redacted ? common.unseenPerson : '')} code={codes.get(actor)} />
    ),
  },
  {
    label: strings.reason,
    cell: ({ reason, signature }) =>
      (reason || signature) && (
        <>
          <bdi>{reason}</bdi>
          {signature && (
            <span class="signature muted" dir="auto">
              {strings.signed(signature.name, signature.meaning)}
            </span>
          )}
        </>
      ),
  },
  { label: strings.at, cell: ({ at }) => <Time at={at} /> },
];

/** Codes of people, by identifier: those of the present, which no entry has. */
type Codes = ReadonlyMap<string, string>;

/** The action, as a button that opens its details. */
const what = (
  open: ReadonlySet<string>,
  toggle: (id: string) => void,
  { names, codes }: { names: Names; codes: Codes },
): Column<Entry> => ({
  label: strings.what,
  cell: (entry) => (
    <button
      type="button"
      class="disclosure"
      aria-expanded={open.has(entry.identifier)}
      onClick={() => toggle(entry.identifier)}
    >
      {actions[entry.action]}{' '}
      <span class="muted">
        {itemsOf(entry) || (
          <Coded name={names.get(concernedBy(entry) ?? '') ?? ''} code={codes.get(memberOf(entry) ?? '')} />
        )}
      </span>
    </button>
  ),
});

function itemsOf({ cases, responses, details }: Entry): string {
  const matched = details?.items as { cases?: number; responses?: number } | undefined;
  return strings.items(matched?.cases ?? cases.length, matched?.responses ?? responses.length);
}

const surveyOf = ({ details }: Entry) => (isIdentifier(details?.survey) ? details.survey : undefined);
const memberOf = ({ details }: Entry) => (isIdentifier(details?.member) ? details.member : undefined);
const concernedBy = (entry: Entry) => surveyOf(entry) ?? memberOf(entry);

/** Names of the surveys and people that entries concern; names of former members only as far as the log has them. */
function useNamesIn(study: string, entries: readonly Entry[] = []): Names {
  const surveys = useSurveyNames(entries.flatMap((entry) => surveyOf(entry) ?? []));
  const actors = new Map(entries.map(({ actor, actorName }) => [actor, actorName]));
  const others = entries.flatMap((entry) => memberOf(entry) ?? []).filter((member) => !actors.has(member));
  return new Map([...surveys, ...useMemberNames(study, others), ...actors]);
}

/** The log of the study, and whether its entries are unaltered. */
export function Activity() {
  const { id } = useStudy();
  const [query, show] = useQuery();
  const action = isAction(query.action) ? query.action : undefined;
  const item = query.item || undefined;
  const code = query.code || undefined;
  const [changes, setChanges] = useState(0);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (entry: string) =>
    setOpen((now) => {
      const others = new Set(now);
      return others.delete(entry) ? others : others.add(entry);
    });
  const list = usePages(['activity', id, action, item, code], (cursor, options) =>
    route.$get({ param: { id }, query: { limit: '50', cursor, action, item, code } }, options),
  );
  const codes = new Map(list.data?.flatMap((page) => Object.entries(page.codes ?? {})));
  const entries = list.data?.flatMap(({ activities }) => activities);
  const names = useNamesIn(id, entries);
  useStudyChanges(() => {
    list.reload();
    setChanges((n) => n + 1);
  });
  const isFiltered = action !== undefined || item !== undefined || code !== undefined;
  return (
    <>
      <PageHead title={strings.title} about={`${strings.about} ${common.yourTime(viewerZone)}.`}>
        <Exports />
        <PrintButton />
      </PageHead>
      <PrintHead
        period={
          entries?.[0] &&
          common.print.period(formatTime(entries.at(-1)?.at ?? entries[0].at), formatTime(entries[0].at))
        }
      />
      <Verification study={id} changes={changes} />
      {list.data?.[0] && (
        <Review
          reviewed={list.data[0].reviewed}
          newest={isFiltered ? undefined : entries?.[0]?.position}
          onReviewed={() => {
            list.reload();
            setChanges((n) => n + 1);
          }}
        />
      )}
      <div class="filters">
        <label>
          <span>{strings.filter}</span>
          <select value={action ?? ''} onChange={(event) => show({ action: event.currentTarget.value })}>
            <option value="">{strings.everything}</option>
            {Object.entries(actions).map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
        <CodeFilter value={code ?? ''} onChange={(typed) => show({ code: typed })} />
        <SavedFilters screen="activity" />
        {item && (
          <Chip text={strings.ofItem} label={strings.removeFilter} onRemove={() => show({ item: '' })} />
        )}
      </div>
      <Table
        saves
        caption={strings.caption}
        columns={[what(open, toggle, { names, codes }), ...columnsWith(codes)]}
        rows={entries}
        rowId={({ identifier }) => identifier}
        list={list}
        // Looked up when the details open.
        below={(entry) => open.has(entry.identifier) && <EntryDetails entry={entry} />}
        empty={
          isFiltered ? (
            <EmptyState icon="search" title={strings.noneFound}>
              <Button onClick={() => show({ action: '', item: '', code: '' })}>{strings.clear}</Button>
            </EmptyState>
          ) : (
            <EmptyState icon="history" title={strings.emptyTitle} about={strings.emptyAbout} />
          )
        }
      />
    </>
  );
}

/** Proof of the log without the service: the whole log, and its signed head. */
function Exports() {
  const { study } = useStudy();
  const path = `/investigation/${study.identifier}/activity`;
  return (
    <>
      <DownloadButton
        path={path}
        accept="application/x-ndjson"
        file={fileName(strings.logFile(study.name), 'ndjson')}
      >
        {strings.exportLog}
      </DownloadButton>
      <DownloadButton
        path={`${path}/head`}
        file={fileName(strings.headFile(study.name), 'json')}
        icon="shield"
        explain={(error) => (isProblem(error, 'audit.not-signed') ? strings.headNone : messageOf(error))}
      >
        {strings.head}
      </DownloadButton>
    </>
  );
}
