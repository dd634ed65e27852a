import { useState } from 'preact/hooks';
import { usePages } from '../../answers.ts';
import { type AnswerOf, api } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { Badge, type Tone } from '../../components/states.tsx';
import type { Column } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { formatDate } from '../../format.ts';
import { ruleText } from '../../groups.ts';
import { idOf, type Names, personIn, usePeople } from '../../names.ts';
import { useStudy } from '../../study-context.ts';
import { takeDraft } from '../signatures/signing-drafts.ts';
import { MakeDialog, type ProgramDraft, programDraft } from './make-dialog.tsx';
import { strings } from './program-strings.ts';

const ofStudy = api.investigation[':id'];
type Program = AnswerOf<typeof ofStudy.tokens.$get>['tokens'][number];

const tones: Record<Program['state'], Tone> = { active: 'good', expired: 'plain', ended: 'bad' };

/** The tokens by which programs read the study. */
export function Programs() {
  const { study, id } = useStudy();
  const toast = useToast();
  const [making, setMaking] = useState(() => takeDraft<ProgramDraft>(programDraft));
  const [made, setMade] = useState<{ label: string; token: string }>();
  const [ending, setEnding] = useState<Program>();
  const list = usePages(['programs', id], (cursor, options) =>
    ofStudy.tokens.$get({ param: { id }, query: { limit: '50', cursor } }, options),
  );
  const rows = list.data?.flatMap(({ tokens }) => tokens);
  const people = usePeople(rows?.map(({ createdBy }) => idOf(createdBy)) ?? []);
  const button = study.status === 'active' && (
    <Button kind="primary" icon="plus" onClick={() => setMaking({})}>
      {strings.make}
    </Button>
  );

  return (
    <>
      <ListPage
        texts={strings}
        icon="key"
        button={button}
        columns={columnsFor(people, setEnding)}
        rows={rows}
        list={list}
      />
      {making && (
        <MakeDialog
          draft={making}
          onClose={() => setMaking(undefined)}
          onMade={(program) => {
            setMaking(undefined);
            setMade(program);
            list.reload();
          }}
        />
      )}
      {made && (
        <SecretDialog
          title={strings.tokenTitle(made.label)}
          about={strings.tokenAbout}
          label={strings.token}
          secret={made.token}
          done={strings.tokenDone}
          onClose={() => setMade(undefined)}
        />
      )}
      {ending && (
        <FormDialog
          title={strings.endTitle(ending.label)}
          submit={strings.end}
          kind="danger"
          onClose={() => setEnding(undefined)}
          onSubmit={async () => {
            await ofStudy.token[':token'].$delete({ param: { id, token: ending.identifier } });
            setEnding(undefined);
            list.reload();
            toast({ text: strings.ended(ending.label) });
          }}
        >
          <p>{strings.endAbout}</p>
        </FormDialog>
      )}
    </>
  );
}

const columnsFor = (people: Names, onEnd: (program: Program) => void): Column<Program>[] => [
  {
    label: strings.label,
    cell: ({ label, scope }) => (
      <>
        <bdi>{label}</bdi>
        {scope && <span class="muted"> {common.scopeOnly(ruleText(scope))}</span>}
      </>
    ),
  },
  {
    label: strings.state,
    cell: ({ state }) => (
      <>
        <Badge tone={tones[state]}>{strings.states[state]}</Badge>
        {state === 'ended' && <span class="muted"> {strings.endedAbout}</span>}
      </>
    ),
  },
  { label: strings.madeBy, cell: ({ createdBy }) => <bdi>{personIn(people, idOf(createdBy))}</bdi> },
  { label: strings.madeOn, cell: ({ createdAt }) => <Time at={createdAt} /> },
  { label: strings.worksUntil, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  {
    label: strings.lastUsed,
    cell: ({ lastUsedOn }) =>
      lastUsedOn === null ? <span class="muted">{strings.neverUsed}</span> : formatDate(lastUsedOn),
  },
  {
    label: strings.actions,
    cell: (program) => (
      <Button
        kind="quiet"
        icon="close"
        aria-label={strings.endOf(program.label)}
        onClick={() => onEnd(program)}
      >
        {strings.end}
      </Button>
    ),
  },
];
