import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api, ifMatch, isProblem, type Revised, revised, type Study, useAnswer } from '../api.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Choice, Group } from '../components/fields.tsx';
import { Form, TextField } from '../components/form.tsx';
import { Icon } from '../components/icon.tsx';
import { PageHead } from '../components/page-head.tsx';
import { ProblemNote } from '../components/problem-note.tsx';
import { Loading } from '../components/states.tsx';
import { useToast } from '../components/toast.tsx';
import { ZoneField } from '../components/zone-field.tsx';
import { strings as common } from '../strings/common.ts';
import { strings as meanwhile } from '../strings/meanwhile.ts';
import { strings } from '../strings/settings.ts';
import { useStudy } from '../study.ts';

const ofStudy = api.investigation[':id'];

/** Name, calendar and locks of the study, and its end. */
export function Settings() {
  const { study, reload: reloadStudy } = useStudy();
  const id = study.identifier;
  const { data, error, reload } = useAnswer(
    async (signal) => revised(await ofStudy.$get({ param: { id } }, { init: { signal } })),
    [id],
  );
  const onChanged = () => {
    reload();
    reloadStudy();
  };
  return (
    <>
      <PageHead title={strings.title} about={strings.about} />
      {data ? (
        <>
          {data.value.status === 'active' ? (
            // Anew with each revision that was loaded.
            <Editor key={data.etag} found={data} onChanged={onChanged} />
          ) : (
            <p class="note">
              <Icon name="archive" /> {strings.archivedAbout}
            </p>
          )}
          <Archival found={data} onChanged={onChanged} />
        </>
      ) : error ? (
        <ProblemNote error={error} onRetry={reload} />
      ) : (
        <Loading />
      )}
    </>
  );
}

interface Props {
  found: Revised<Study>;
  onChanged: () => void;
}

function Editor({ found, onChanged }: Props) {
  const toast = useToast();
  const [etag, setEtag] = useState(found.etag);
  const [theirs, setTheirs] = useState<Revised<Study>>();
  const { identifier: id, name, timeZone, startsOn, lockPolicy } = found.value;

  async function save(given: FormData) {
    const change = {
      name: String(given.get('name')).trim(),
      timeZone: String(given.get('timeZone')),
      startsOn: String(given.get('startsOn')),
      lockPolicy: {
        unlock: given.get('unlock') === 'owners' ? ('owners' as const) : ('viewers' as const),
        signature: given.get('signature') === 'on',
      },
    };
    try {
      await ofStudy.$patch({ param: { id }, json: change }, ifMatch(etag));
    } catch (error) {
      if (isProblem(error, 'revision.stale'))
        setTheirs(await revised(await ofStudy.$get({ param: { id } })).json());
      throw error;
    }
    toast({ text: strings.saved });
    onChanged();
  }
  return (
    <section class="card" aria-labelledby="of-study">
      <h2 id="of-study" class="hidden-label">
        {strings.study}
      </h2>
      {theirs && (
        <div class="note warn" role="alert">
          <Icon name="warning" />
          <div>
            <p>{strings.stale}</p>
            <p>{strings.staleNow(theirs.value.name, theirs.value.timeZone, theirs.value.startsOn)}</p>
            <div class="note-buttons">
              <Button onClick={onChanged}>{meanwhile.load}</Button>
              <Button
                onClick={() => {
                  setEtag(theirs.etag);
                  setTheirs(undefined);
                }}
              >
                {meanwhile.keep}
              </Button>
            </div>
          </div>
        </div>
      )}
      <Form submit={strings.save} onSubmit={save}>
        <TextField label={strings.name} name="name" pointer="/name" defaultValue={name} dir="auto" required />
        <div class="pair">
          <ZoneField
            label={strings.zone}
            name="timeZone"
            pointer="/timeZone"
            hint={strings.zoneHint}
            value={timeZone}
          />
          <TextField
            label={strings.startsOn}
            name="startsOn"
            pointer="/startsOn"
            type="date"
            hint={strings.startsOnHint}
            defaultValue={startsOn}
            required
          />
        </div>
        <p class="hint">{strings.replans}</p>
        <Group label={strings.unlock} pointer="/lockPolicy/unlock">
          {(['viewers', 'owners'] as const).map((who) => (
            <Choice
              key={who}
              type="radio"
              name="unlock"
              value={who}
              label={strings.unlockBy[who]}
              defaultChecked={lockPolicy.unlock === who}
            />
          ))}
        </Group>
        <Group label={strings.locks} pointer="/lockPolicy/signature">
          <Choice
            name="signature"
            label={strings.signature}
            hint={strings.signatureHint}
            defaultChecked={lockPolicy.signature}
          />
        </Group>
      </Form>
    </section>
  );
}

/** Archived studies can be deleted. */
function Archival({ found: { value, etag }, onChanged }: Props) {
  const toast = useToast();
  const [error, setError] = useState<unknown>();
  const [deleting, setDeleting] = useState(false);
  const { identifier: id, status, frozenAt } = value;
  const isArchived = status === 'archived';

  async function setStatus(to: 'active' | 'archived', revision?: string) {
    await ofStudy.$patch(
      { param: { id }, json: { status: to } },
      revision === undefined ? undefined : ifMatch(revision),
    );
    onChanged();
  }
  async function change() {
    setError(undefined);
    try {
      await setStatus(isArchived ? 'active' : 'archived', etag);
      toast({
        text: isArchived ? strings.broughtBack : strings.archived,
        undo: () => setStatus(isArchived ? 'archived' : 'active'),
      });
    } catch (failure) {
      setError(failure);
      onChanged();
    }
  }
  return (
    <>
      {error !== undefined && <ProblemNote error={error} />}
      <section class="card action" aria-labelledby="archival">
        <div>
          <h2 id="archival">{isArchived ? strings.bringBackTitle : strings.archiveTitle}</h2>
          <p class="muted">{isArchived ? strings.bringBackAbout : strings.archiveAbout}</p>
        </div>
        <Button icon={isArchived ? 'restore' : 'archive'} onClick={() => void change()}>
          {isArchived ? strings.bringBack : strings.archive}
        </Button>
      </section>
      {isArchived && (
        <section class="card action" aria-labelledby="deletion">
          <div>
            <h2 id="deletion">{strings.deleteTitle}</h2>
            <p class="muted">{frozenAt ? strings.deleteFrozen : strings.deleteAbout}</p>
          </div>
          {!frozenAt && (
            <Button kind="danger" icon="trash" onClick={() => setDeleting(true)}>
              {strings.delete}
            </Button>
          )}
        </section>
      )}
      {deleting && <DeleteStudy study={value} onClose={() => setDeleting(false)} />}
    </>
  );
}

function DeleteStudy({ study: { identifier: id, name }, onClose }: { study: Study; onClose: () => void }) {
  const { route } = useLocation();
  const [typed, setTyped] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  async function remove() {
    setIsWrong(typed.trim() !== name.trim());
    if (typed.trim() !== name.trim()) return;
    await ofStudy.$delete({ param: { id } });
    route(`/console/deleted/${id}`, true);
  }
  return (
    <Dialog title={strings.askTitle} onClose={onClose}>
      <Form
        submit={strings.delete}
        kind="danger"
        onSubmit={remove}
        beside={<Button onClick={onClose}>{common.cancel}</Button>}
      >
        <p>{strings.deleteAbout}</p>
        <p>
          {strings.ask} <strong dir="auto">{name}</strong>
        </p>
        <Group label={strings.confirmName} fault={isWrong ? strings.wrongName : undefined}>
          <input
            type="text"
            dir="auto"
            aria-label={strings.confirmName}
            aria-invalid={isWrong || undefined}
            autocomplete="off"
            value={typed}
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
        </Group>
      </Form>
    </Dialog>
  );
}
