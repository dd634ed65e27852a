import { useMemo, useState } from 'preact/hooks';
import { ProblemError } from '../../../client/client.ts';
import { useAnswer } from '../../answers.ts';
import { api, read } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Form, TextAreaField, TextField } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { Progress, Unread } from '../../components/states.tsx';
import { useToast } from '../../components/toast.tsx';
import { fileName, saveTable } from '../../download.ts';
import { changeable } from '../../groups.ts';
import { Refusal } from '../../problem.ts';
import { useStudy } from '../../study-context.ts';
import { useTask } from '../../task.ts';
import type { Member } from '../members/member-changes.ts';
import { MovedReminders } from './dates-effect.tsx';
import { strings as all } from './dates-strings.ts';
import {
  columnNames,
  type ReadTable,
  readTable,
  settableColumns,
  type TableFault,
  type TablePerson,
  templateOf,
} from './dates-table.ts';
import { tableStrings } from './dates-table-strings.ts';
import { useDatesEffect } from './use-dates-effect.ts';

const strings = tableStrings.file;
const ofStudy = api.investigation[':id'];

/** Far more than a line of 1,000 people takes. */
const maxBytes = 2_000_000;

/** The dates of many people, from a table. */
export function DatesFromTable() {
  const { study, id, screenPath } = useStudy();
  const { data, error, reload } = useAnswer(['people-with-dates', id], async ({ init }) => {
    const people = await readPeople(id, init);
    return { json: async () => people };
  });
  const back = { href: screenPath('/members'), label: strings.back };
  return (
    <>
      <PageHead title={strings.title} about={strings.about} back={back} />
      {data ? (
        <Steps key={study.identifier} people={data} onSet={reload} />
      ) : (
        <Unread error={error} reload={reload} />
      )}
    </>
  );
}

/** All members, with their dates, page by page. */
async function readPeople(id: string, init: { signal: AbortSignal }) {
  const people: (TablePerson & { takesPart: boolean })[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: '1000', cursor };
    const { members, next } = await read(ofStudy.members.$get({ param: { id }, query }, { init }));
    for (const {
      identifier: user,
      name,
      code,
      dates,
      participation,
      role,
      properties,
    } of members as readonly Member[])
      people.push({ user, name, code, dates, participation, properties, takesPart: role === 'responder' });
    cursor = next;
  } while (cursor !== undefined);
  return people;
}

function Steps({
  people,
  onSet,
}: {
  people: readonly (TablePerson & { takesPart: boolean })[];
  onSet: () => void;
}) {
  const { study, properties: declared } = useStudy();
  const { dates = [] } = study;
  const names = { dates, properties: changeable(declared, study.scope) };
  const [text, setText] = useState('');
  const [table, setTable] = useState<ReadTable>();
  const reserved = dates.filter((name) => !columnNames(dates).includes(name));
  const columns = ['code', 'user', ...settableColumns(names)].join(', ');
  const type = (typed: string) => {
    setText(typed);
    setTable(undefined);
  };

  async function choose(file: File | undefined) {
    if (file) type(await textOf(file));
  }

  return (
    <div class="dates-steps">
      <section class="card" aria-labelledby="template">
        <h2 id="template">{strings.templateTitle}</h2>
        <p>{strings.templateAbout}</p>
        {reserved.length > 0 && <p class="hint">{strings.reserved(reserved.join(', '))}</p>}
        <Button
          icon="download"
          onClick={() => {
            const rows = people.filter(
              ({ takesPart, dates, participation, properties }) =>
                takesPart || dates || participation || properties,
            );
            saveTable(templateOf(rows, names), fileName(strings.templateName(study.name), 'csv'));
          }}
        >
          {strings.template}
        </Button>
      </section>
      <section class="card" aria-labelledby="fill">
        <h2 id="fill">{strings.fillTitle}</h2>
        <Form submit={strings.check} onSubmit={async () => setTable(readTable(text, people, names))}>
          <FileField onChoose={choose} />
          <TextAreaField
            label={strings.text}
            hint={strings.textHint(columns)}
            value={text}
            rows={8}
            spellcheck={false}
            onInput={(event) => type(event.currentTarget.value)}
            required
          />
        </Form>
        {table && table.faults.length > 0 && <Faults faults={table.faults} />}
      </section>
      {table && table.faults.length === 0 && (
        <Effect
          table={table}
          people={people}
          onSet={() => {
            type('');
            onSet();
          }}
        />
      )}
    </div>
  );
}

/** A file of the person's machine. */
function FileField({ onChoose }: { onChoose: (file: File | undefined) => Promise<void> }) {
  const { run, error } = useTask();
  return (
    <>
      <TextField
        label={strings.choose}
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onClick={({ currentTarget }) => {
          // The same file again, once it is corrected, is a change, too.
          currentTarget.value = '';
        }}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          void run(() => onChoose(file));
        }}
      />
      {error !== undefined && <ProblemNote error={error} />}
    </>
  );
}

/** @throws Refusal if it is no text in UTF-8, or far too long */
async function textOf(file: File): Promise<string> {
  if (file.size > maxBytes) throw new Refusal(strings.tooLong);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new Refusal(strings.notText);
  }
}

/** Faults that are listed. */
const maxFaults = 20;

const Faults = ({ faults }: { faults: readonly TableFault[] }) => (
  <div class="note danger" role="alert">
    <Icon name="warning" />
    <div>
      <p>{strings.faults(new Set(faults.map(({ line }) => line)).size)}</p>
      <ul class="plain-list">
        {faults.slice(0, maxFaults).map(({ line, text }) => (
          <li key={`${line} ${text}`}>
            <strong>{strings.line(line)}</strong> <bdi>{text}</bdi>
          </li>
        ))}
      </ul>
      {faults.length > maxFaults && <p>{strings.moreFaults(faults.length - maxFaults)}</p>}
    </div>
  </div>
);

/** The faults that the service finds, by the lines of the table. */
function faultsOf(error: unknown, lines: readonly number[]): TableFault[] {
  if (!(error instanceof ProblemError)) return [];
  return error.errors.flatMap(({ pointer, detail }) => {
    const line = lines[Number(/^\/members\/(\d+)/.exec(pointer ?? '')?.[1] ?? -1)];
    return line === undefined ? [] : [{ line, text: detail }];
  });
}

/** The reminders that move, and the button that sets the dates: of everybody, or of nobody. */
function Effect({
  table: { changes, lines },
  people,
  onSet,
}: {
  table: ReadTable;
  people: readonly TablePerson[];
  onSet: () => void;
}) {
  const { id } = useStudy();
  const toast = useToast();
  const { run, busy, error } = useTask();
  const counting = useDatesEffect(id, changes);
  const byUser = useMemo(() => new Map(people.map((person) => [person.user, person])), [people]);
  const { effect } = counting;
  const failure = error ?? counting.error;
  const faults = faultsOf(failure, lines);
  const total = changes.length;

  async function set() {
    const { changed } = await read(
      ofStudy.members.dates.$post({ param: { id }, json: { members: [...changes] } }),
    );
    toast({ text: strings.done(changed) });
    onSet();
  }

  return (
    <section class="card" aria-labelledby="effect">
      <h2 id="effect">{strings.effectTitle}</h2>
      {faults.length > 0 ? (
        <Faults faults={faults} />
      ) : (
        failure !== undefined && <ProblemNote error={failure} onRetry={counting.reload} />
      )}
      {counting.error === undefined && (!effect || effect.next !== undefined) && (
        <Looking done={changes.filter(({ user }) => user <= (effect?.next ?? '')).length} total={total} />
      )}
      {effect && (
        <>
          <p role="status">
            {effect.changed === 0
              ? strings.nothing
              : `${strings.changed(effect.changed)} ${strings.moved(new Set(effect.moved.map(({ user }) => user)).size)}`}
          </p>
          <MovedReminders moved={effect.moved} people={byUser} />
          {effect.next === undefined && effect.changed > 0 && (
            <div class="form-buttons">
              <Button kind="primary" busy={busy !== undefined} onClick={() => void run(set)}>
                {strings.set(effect.changed)}
              </Button>
            </div>
          )}
        </>
      )}
    </section>
  );
}

const Looking = ({ done, total }: { done: number; total: number }) => (
  <Progress label={all.counting(done, total)} done={done} total={total} />
);
