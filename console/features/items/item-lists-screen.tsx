import { useState } from 'preact/hooks';
import { useAction } from '../../actions.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { DownloadButton } from '../../components/download-button.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useNoPart, usePart } from '../../components/property-filter.tsx';
import { useToast } from '../../components/toast.tsx';
import { fileName, tablePath } from '../../download.ts';
import { viewerZone } from '../../format.ts';
import { type PropertyRule, ruleText } from '../../groups.ts';
import { responderWithCode, useCaseLabels, usePeople, useSurveys } from '../../names.ts';
import { messageOf } from '../../problem.ts';
import { useStudy } from '../../study-context.ts';
import { occurrencesOf } from '../downloads/file-query.ts';
import { MoreFiles } from '../downloads/more-files.tsx';
import { takeDraft } from '../signatures/signing-drafts.ts';
import { NewCaseDialog } from './case-dialog.tsx';
import { FreezeDialog, freezeDraft, type PendingFreeze } from './freeze-dialog.tsx';
import { mayUnlockSome } from './item-changes.ts';
import { DataFilters, listedSince, listQueryOf, useFilters } from './item-filters.tsx';
import { matchingOf } from './item-kinds.ts';
import { Cases, Responses } from './item-lists.tsx';
import { strings } from './item-strings.ts';
import { LockMatchingDialog, matchingDraft, type PendingMatching } from './lock-matching-dialog.tsx';
import { SetAsideNote } from './set-aside-note.tsx';

type Open =
  | { dialog: 'case' }
  | { dialog: 'matching'; pending?: PendingMatching; responder?: string | undefined }
  | { dialog: 'freeze'; pending?: PendingFreeze; ended?: PropertyRule };

/** The change that the person was about to sign before signing in again. */
function drafted(): Open | undefined {
  const pending = takeDraft<PendingMatching>(matchingDraft);
  if (pending) return { dialog: 'matching', pending };
  const freeze = takeDraft<PendingFreeze>(freezeDraft);
  return freeze && { dialog: 'freeze', pending: freeze };
}

/** Cases and responses, their states, and their changes. */
export function Data() {
  const { study, id, can } = useStudy();
  const [filters, change] = useFilters();
  const surveys = useSurveys(id);
  const [open, setOpen] = useState<Open | undefined>(drafted);
  const [changes, setChanges] = useState(0);
  const caseLabel =
    useCaseLabels(id, filters.case ? [filters.case] : []).get(filters.case ?? '') ?? undefined;
  const responderName = usePeople(filters.responder ? [filters.responder] : []).get(filters.responder ?? '');
  // Each list has its own selection.
  const shown = `${changes} ${JSON.stringify(filters)}`;
  const none = useNoPart();
  const part = usePart();
  const clear = () =>
    change({ state: '', survey: '', case: '', responder: '', code: '', since: '', ...none });
  const { case: ofCase, responder, survey } = filters;
  const since = listedSince(filters);
  // Without the right to unlock, nothing can be done with a list of locked items.
  const action = matchingOf[filters.state];
  const hasMatching =
    !study.frozenAt && (action === 'unlocked' ? mayUnlockSome(study) : action !== undefined);
  const listed = { filters, hasMatching, onClear: clear };
  const toast = useToast();

  /** The filters of the list narrow what is locked; the person with a code is found first. */
  async function openMatching() {
    if (filters.kind === 'cases') return setOpen({ dialog: 'matching' });
    if (!filters.code) return setOpen({ dialog: 'matching', responder });
    const person = await responderWithCode(id, filters.code).catch((error: unknown) => error);
    if (typeof person === 'string' && (responder ?? person) === person)
      setOpen({ dialog: 'matching', responder: person });
    else
      toast({
        text: person instanceof Error ? messageOf(person) : strings.matching.nobody(filters.code),
        isFailure: true,
      });
  }

  const canCreate = can('record') && !study.frozenAt && study.status === 'active';
  useAction('new-case', () => canCreate && setOpen({ dialog: 'case' }));
  useAction('lock', () => !study.frozenAt && void openMatching());
  useAction('freeze', () => can('own') && setOpen({ dialog: 'freeze' }));

  return (
    <>
      <PageHead title={strings.title} about={`${strings.about} ${common.yourTime(viewerZone)}.`}>
        <DownloadButton
          path={tablePath(`/investigation/${id}/${filters.kind}`, {
            ...listQueryOf(filters),
            include: 'lock',
          })}
          accept="text/csv"
          file={fileName(strings.file(study.name, filters.kind), 'csv')}
        >
          {common.csv}
        </DownloadButton>
        {filters.kind === 'responses' && (
          <MoreFiles
            responses={{ ...listQueryOf(filters), include: 'lock' }}
            occurrences={occurrencesOf({ survey, user: responder, code: filters.code, ...part.filter })}
          />
        )}
        {canCreate && (
          <Button kind="primary" icon="plus" onClick={() => setOpen({ dialog: 'case' })}>
            {strings.newCase.button}
          </Button>
        )}
        {hasMatching && (
          <Button icon="lock" onClick={() => void openMatching()}>
            {strings.matching.button}
          </Button>
        )}
        {can('own') && (
          <Button icon="freeze" onClick={() => setOpen({ dialog: 'freeze' })}>
            {study.frozenAt ? strings.freeze.endButton : strings.freeze.button}
          </Button>
        )}
        {can('own') &&
          study.frozenGroups?.map((group) => (
            <Button
              key={JSON.stringify(group)}
              icon="freeze"
              onClick={() => setOpen({ dialog: 'freeze', ended: group })}
            >
              {strings.freeze.groupButton(ruleText(group))}
            </Button>
          ))}
      </PageHead>
      <SetAsideNote />
      <DataFilters
        filters={filters}
        change={change}
        surveys={surveys}
        caseLabel={caseLabel}
        responderName={responderName}
      />
      {filters.kind === 'cases' ? (
        <Cases key={shown} {...listed} />
      ) : (
        <Responses key={shown} {...listed} surveys={surveys} />
      )}
      {open?.dialog === 'matching' && (
        <LockMatchingDialog
          status={action}
          filter={{
            ...(since !== undefined && { since }),
            ...(part.rule && { properties: part.rule }),
            ...(filters.kind === 'responses' && {
              ...(ofCase && { case: ofCase }),
              ...(open.responder && { responder: open.responder }),
              ...(survey && { survey }),
            }),
          }}
          pending={open.pending}
          onClose={() => setOpen(undefined)}
          onChanged={() => setChanges((n) => n + 1)}
        />
      )}
      {open?.dialog === 'case' && <NewCaseDialog onClose={() => setOpen(undefined)} />}
      {open?.dialog === 'freeze' && (
        <FreezeDialog pending={open.pending} ended={open.ended} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}
