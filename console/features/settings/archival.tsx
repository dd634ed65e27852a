import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api, ifMatch, type Revised, type Study } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Group } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { useToast } from '../../components/toast.tsx';
import { useTask } from '../../task.ts';
import { strings } from './settings-strings.ts';

const ofStudy = api.investigation[':id'];

interface Props {
  record: Revised<Study>;
  onChanged: () => void;
}

/** Archives a study, or brings it back. Archived studies can be deleted. */
export function Archival({ record: { value, etag }, onChanged }: Props) {
  const toast = useToast();
  const { run, error } = useTask();
  const [deleting, setDeleting] = useState(false);
  const { identifier: id, status, frozenAt } = value;
  const isArchived = status === 'archived';

  async function setStatus(to: 'active' | 'archived', revision?: string) {
    await ofStudy.$patch(
      { param: { id }, json: { status: to } },
      revision === undefined ? undefined : ifMatch(revision),
    );
  }
  async function change() {
    await setStatus(isArchived ? 'active' : 'archived', etag).finally(onChanged);
    toast({
      text: isArchived ? strings.broughtBack : strings.archived,
      undo: () => setStatus(isArchived ? 'archived' : 'active').then(onChanged),
    });
  }
  return (
    <>
      {error !== undefined && <ProblemNote error={error} />}
      <section class="card action" aria-labelledby="archival">
        <div>
          <h2 id="archival">{isArchived ? strings.bringBackTitle : strings.archiveTitle}</h2>
          <p class="muted">{isArchived ? strings.bringBackAbout : strings.archiveAbout}</p>
        </div>
        <Button icon={isArchived ? 'restore' : 'archive'} onClick={() => run(change)}>
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
    <FormDialog
      title={strings.askTitle}
      onClose={onClose}
      submit={strings.delete}
      kind="danger"
      onSubmit={remove}
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
    </FormDialog>
  );
}
