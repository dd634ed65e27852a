import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { newIdentifier } from '../../../client/client.ts';
import { useAction } from '../../actions.ts';
import { usePages } from '../../answers.ts';
import { api, type Study } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { DateField, OneOf, TextField } from '../../components/form.tsx';
import { FormDialog } from '../../components/form-dialog.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { EmptyState } from '../../components/states.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { TopBar } from '../../components/top-bar.tsx';
import { ZoneField } from '../../components/zone-field.tsx';
import { formatDate } from '../../format.ts';
import { ruleText } from '../../groups.ts';
import { Finder } from '../finder/finder.tsx';
import { MyInvitations } from '../members/my-invitations.tsx';
import { StudyBadges } from './study-badges.tsx';
import { strings } from './study-strings.ts';

const columns: readonly Column<Study>[] = [
  {
    label: strings.name,
    cell: ({ identifier, name }) => <a href={`/console/studies/${identifier}`}>{name}</a>,
  },
  {
    label: strings.role,
    cell: ({ role, scope }) => (
      <>
        {common.roles[role]}
        {scope && <span class="muted"> {common.scopeOnly(ruleText(scope))}</span>}
      </>
    ),
  },
  { label: strings.participants, cell: (study) => <Counts study={study} /> },
  { label: strings.starts, cell: ({ startsOn }) => formatDate(startsOn) },
  { label: strings.zone, cell: ({ timeZone }) => timeZone, kind: 'wide' },
  { label: strings.status, cell: (study) => <StudyBadges study={study} /> },
];

/** Counts that the service gives to owners and editors; `attention` of participants who need it. */
function Counts({ study }: { study: Study }) {
  const { identifier, participants, attention } = study;
  return (
    <>
      {participants !== undefined && strings.takePart(participants)}
      {attention ? (
        <>
          {' · '}
          <a href={`/console/studies/${identifier}/queue`}>{strings.needAttention(attention)}</a>
        </>
      ) : null}
    </>
  );
}

/** The first screen: the person's studies. */
export function Studies() {
  const [creating, setCreating] = useState(false);
  const list = usePages(['studies'], (cursor, options) =>
    api.investigation.$get({ query: { limit: '50', cursor, include: 'counts' } }, options),
  );
  const studies = list.data?.flatMap(({ investigations }) => investigations);
  useAction('new-study', () => setCreating(true));
  const button = (
    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
      {strings.create}
    </Button>
  );
  return (
    <>
      <TopBar>
        <Finder />
      </TopBar>
      <main id="content" class="page">
        <PageHead title={strings.title}>{studies && studies.length > 0 && button}</PageHead>
        <MyInvitations />
        <Table
          saves
          caption={strings.caption}
          columns={columns}
          rows={studies}
          rowId={({ identifier }) => identifier}
          list={list}
          empty={
            <EmptyState icon="table" title={strings.emptyTitle} about={strings.emptyAbout}>
              {button}
            </EmptyState>
          }
        />
        <p class="apart">
          <a href="/console/deleted">{strings.deletedStudies}</a>
        </p>
      </main>
      {creating && <CreateStudy onClose={() => setCreating(false)} />}
    </>
  );
}

function CreateStudy({ onClose }: { onClose: () => void }) {
  const { route } = useLocation();
  // One identifier per form, so that a second try after a lost answer makes no second study.
  const [identifier] = useState(() => newIdentifier());
  async function create(form: FormData) {
    const startsOn = String(form.get('startsOn'));
    await api.investigation.$post({
      json: {
        identifier,
        name: String(form.get('name')).trim(),
        timeZone: String(form.get('timeZone')),
        ...(startsOn && { startsOn }),
        lockPolicy: { unlock: form.get('unlock') === 'owners' ? 'owners' : 'viewers' },
      },
    });
    onClose();
    route(`/console/studies/${identifier}`);
  }
  return (
    <FormDialog title={strings.createTitle} onClose={onClose} submit={strings.createSubmit} onSubmit={create}>
      <TextField label={strings.name} name="name" pointer="/name" required />
      <ZoneField label={strings.zone} name="timeZone" pointer="/timeZone" hint={strings.zoneHint} />
      <DateField label={strings.startsOn} name="startsOn" pointer="/startsOn" hint={strings.startsOnHint} />
      <OneOf
        label={strings.unlock}
        name="unlock"
        pointer="/lockPolicy/unlock"
        hint={strings.unlockHint}
        of={Object.entries(strings.unlockBy)}
        required
      />
    </FormDialog>
  );
}
