import { useMemo, useState } from 'preact/hooks';
import { usePages } from '../../answers.ts';
import { api } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { Icon } from '../../components/icon.tsx';
import { ListPage } from '../../components/list-page.tsx';
import { useSelection } from '../../components/selection.ts';
import { SelectionBar } from '../../components/selection-bar.tsx';
import { Badge, type Tone } from '../../components/states.tsx';
import type { Column } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useToast } from '../../components/toast.tsx';
import { useStudy } from '../../study-context.ts';
import { linesOf } from '../dates/courses.ts';
import type { Code } from './codes.ts';
import { strings } from './enrolment-strings.ts';
import { MakeCodesDialog } from './make-codes-dialog.tsx';
import { Sheet } from './sheet.tsx';

/** The codes by which people take part without an account. */
export function Codes() {
  const { study, id, screenPath, can } = useStudy();
  const toast = useToast();
  const selection = useSelection();
  const [making, setMaking] = useState(false);
  const [ending, setEnding] = useState<Code>();
  const [sheet, setSheet] = useState<readonly Code[]>();
  const list = usePages(
    ['codes', id],
    (cursor, options) =>
      api.investigation[':id'].enrolments.$get({ param: { id }, query: { limit: '50', cursor } }, options),
    study.scope ? 50 : undefined,
  );
  const codes = list.data?.flatMap(({ enrolments }) => enrolments);
  const columns = useMemo(() => columnsFor(setEnding), []);
  const selected = codes?.filter(({ identifier }) => selection.has(identifier)) ?? [];
  const printable = selected.filter(({ state }) => state === 'open');
  if (sheet) return <Sheet codes={sheet} onClose={() => setSheet(undefined)} />;

  const button = study.status === 'active' && (
    <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
      {strings.make}
    </Button>
  );
  return (
    <>
      <ListPage
        texts={strings}
        icon="phone"
        button={button}
        back={{ href: screenPath('/participants'), label: strings.back }}
        columns={columns}
        rows={codes}
        rowName={({ code }) => code}
        list={list}
        selection={selection}
      >
        {can('design') && (
          <a class="button" href={screenPath('/members/information')}>
            <Icon name="survey" />
            {strings.information}
          </a>
        )}
      </ListPage>
      <SelectionBar count={selected.length} onClear={selection.clear}>
        {printable.length === 0 ? (
          <p>{strings.noSheet}</p>
        ) : (
          <Button kind="primary" icon="survey" onClick={() => setSheet(printable)}>
            {strings.print}
          </Button>
        )}
      </SelectionBar>
      {making && (
        <MakeCodesDialog
          onClose={() => {
            setMaking(false);
            list.reload();
          }}
          onMade={(made) => {
            setMaking(false);
            list.reload();
            toast({ text: strings.made(made.length) });
            setSheet(made);
          }}
        />
      )}
      {ending && (
        <FormDialog
          kind="danger"
          title={strings.endTitle(ending.code)}
          submit={strings.end}
          onClose={() => setEnding(undefined)}
          onSubmit={async () => {
            await api.enrolment[':id'].$delete({ param: { id: ending.identifier } });
            setEnding(undefined);
            list.reload();
            toast({ text: strings.ended(ending.code) });
          }}
        >
          <p>{strings.endAbout}</p>
        </FormDialog>
      )}
    </>
  );
}

/** Many uses within one hour are a hall, or somebody who uses up a poster. */
function UsesByHour({ uses }: { uses: Code['usesByHour'] }) {
  const most = uses.toSorted((a, b) => b.uses - a.uses)[0];
  if (!most) return <span class="muted">{strings.noUses}</span>;
  return (
    <>
      {strings.usedRecently(uses.reduce((sum, hour) => sum + hour.uses, 0))}
      <br />
      <span class="muted">
        {strings.mostAt(most.uses)} <Time at={most.hour} />
      </span>
    </>
  );
}

/** The number and the label of a code, and the dates and the time that it gives to the people who use it. */
const Label = ({ code }: { code: Code }) => (
  <>
    {strings.numbered(code.number, code.label)}
    <ul class="plain-list muted">
      {linesOf(code).map((line) => (
        <li key={line}>
          <bdi>{line}</bdi>
        </li>
      ))}
    </ul>
  </>
);

const tones: Record<Code['state'], Tone> = { open: 'good', used: 'plain', expired: 'warn', ended: 'plain' };

const columnsFor = (onEnd: (code: Code) => void): Column<Code>[] => [
  { label: strings.code, cell: ({ code }) => <span class="enrolment-code">{code}</span> },
  {
    label: strings.label,
    cell: (code) =>
      linesOf(code).length > 0 ? <Label code={code} /> : strings.numbered(code.number, code.label),
  },
  { label: strings.used, kind: 'number', cell: ({ used, uses }) => strings.usedOf(used, uses) },
  { label: strings.byHour, cell: ({ usesByHour }) => <UsesByHour uses={usesByHour} /> },
  {
    label: strings.state,
    cell: ({ state }) => <Badge tone={tones[state]}>{strings.states[state]}</Badge>,
  },
  {
    label: strings.expires,
    cell: ({ expiresAt }) =>
      expiresAt ? <Time at={expiresAt} /> : <span class="muted">{strings.noEnd}</span>,
  },
  {
    label: strings.actions,
    cell: (code) =>
      code.state === 'open' && (
        <span class="row-actions">
          <CopyButton text={code.url} label={strings.copyLink} />
          <Button kind="quiet" icon="close" aria-label={strings.endOf(code.code)} onClick={() => onEnd(code)}>
            {strings.end}
          </Button>
        </span>
      ),
  },
];
