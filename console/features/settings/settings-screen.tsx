import { useState } from 'preact/hooks';
import { mutate, useAnswer } from '../../answers.ts';
import { api, ifMatch, isProblem, type Revised, revised, type Study } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Choice, DateField, Form, Group, OneOf, TextAreaField, TextField } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Unread } from '../../components/states.tsx';
import { useToast } from '../../components/toast.tsx';
import { ZoneField } from '../../components/zone-field.tsx';
import type { Property } from '../../groups.ts';
import { useStudy } from '../../study-context.ts';
import type { Statement } from '../items/item-changes.ts';
import { policyOfGroup } from '../items/lock-policy.ts';
import { keepDraft, takeDraft } from '../signatures/signing-drafts.ts';
import { StatementForm } from '../signatures/statement-form.tsx';
import { strings as meanwhile } from '../surveys/meanwhile-strings.ts';
import { Archival } from './archival.tsx';
import { groupPoliciesIn, PolicyRows } from './policy-rows.tsx';
import { declaredIn, isSame, PropertyRows } from './property-rows.tsx';
import { strings } from './settings-strings.ts';

const ofStudy = api.investigation[':id'];

/** Name, calendar and locks of the study, its archival and deletion. */
export function Settings() {
  const { id, screenPath } = useStudy();
  const { data, error, reload } = useAnswer(['study', id, 'revised'], async (options) =>
    revised(await ofStudy.$get({ param: { id } }, options)),
  );
  const onChanged = () => mutate(['study', id]);
  return (
    <>
      <PageHead title={strings.title} about={strings.about} />
      {data ? (
        <>
          {data.value.status === 'active' ? (
            // A new form for each revision that was loaded.
            <Editor key={data.etag} record={data} onChanged={onChanged} />
          ) : (
            <p class="note">
              <Icon name="archive" /> {strings.archivedAbout}
            </p>
          )}
          <section class="card action" aria-labelledby="information">
            <div>
              <h2 id="information">{strings.information}</h2>
              <p class="muted">{strings.informationAbout}</p>
            </div>
            <a class="button" href={screenPath('/members/information')}>
              <Icon name="survey" />
              {strings.information}
            </a>
          </section>
          <Archival record={data} onChanged={onChanged} />
        </>
      ) : (
        <Unread error={error} reload={reload} />
      )}
    </>
  );
}

const policyDraft = 'policy';

/** A change of settings under a lock policy that requires signatures. */
interface SignedChange {
  change: {
    name: string;
    timeZone: string;
    startsOn: string;
    dates: string[];
    participationDays: number | null;
    properties?: Property[];
    lockPolicy: Study['lockPolicy'];
  };
  statement: Statement;
}

/** Names of dates, separated by lines or commas. */
const namesIn = (text: string): string[] =>
  text
    .split(/[\n,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

function Editor({ record, onChanged }: { record: Revised<Study>; onChanged: () => void }) {
  const toast = useToast();
  const [etag, setEtag] = useState(record.etag);
  const [theirs, setTheirs] = useState<Revised<Study>>();
  const {
    identifier: id,
    name,
    timeZone,
    startsOn,
    lockPolicy,
    dates = [],
    participationDays,
    properties = [],
  } = record.value;
  const [signing, setSigning] = useState(() => takeDraft<SignedChange>(policyDraft));

  async function save(form: FormData) {
    const declared = declaredIn(form);
    const groups = groupPoliciesIn(form, properties);
    const change = {
      name: String(form.get('name')).trim(),
      timeZone: String(form.get('timeZone')),
      startsOn: String(form.get('startsOn')),
      dates: namesIn(String(form.get('dates'))),
      participationDays: Number(form.get('participationDays')) || null,
      ...(!isSame(declared, properties) && { properties: declared }),
      lockPolicy: {
        unlock: form.get('unlock') === 'owners' ? ('owners' as const) : ('viewers' as const),
        signature: form.get('signature') === 'on',
        ...(groups.length > 0 && { groups }),
      },
    };
    const { unlock, signature } = change.lockPolicy;
    const isPolicyKept =
      unlock === lockPolicy.unlock &&
      signature === lockPolicy.signature &&
      JSON.stringify(groups) === JSON.stringify(lockPolicy.groups ?? []);
    if (policyOfGroup(lockPolicy).signature && !isPolicyKept) setSigning({ change, statement: {} });
    else await send(change);
  }

  async function send(change: SignedChange['change'] & Statement) {
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
            <p>{strings.staleNow(theirs.value)}</p>
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
      {signing && (
        <Dialog title={strings.signTitle} onClose={() => setSigning(undefined)}>
          <p>{strings.signAbout}</p>
          <StatementForm
            submit={strings.save}
            statement={signing.statement}
            hasReason={false}
            isSigned
            onSubmit={(statement) => send({ ...signing.change, ...statement })}
            keep={(statement) => keepDraft<SignedChange>(policyDraft, { ...signing, statement })}
            beside={<Button onClick={() => setSigning(undefined)}>{common.cancel}</Button>}
          />
        </Dialog>
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
          <DateField
            label={strings.startsOn}
            name="startsOn"
            pointer="/startsOn"
            hint={strings.startsOnHint}
            defaultValue={startsOn}
            required
          />
        </div>
        <p class="hint">{strings.replans}</p>
        <TextAreaField
          label={strings.dates}
          name="dates"
          pointer="/dates"
          hint={strings.datesHint}
          rows={Math.max(2, dates.length)}
          defaultValue={dates.join('\n')}
          dir="auto"
        />
        <TextField
          label={strings.participationDays}
          name="participationDays"
          pointer="/participationDays"
          hint={strings.participationDaysHint}
          type="number"
          min={1}
          max={36_500}
          defaultValue={participationDays ?? ''}
        />
        <PropertyRows properties={properties} />
        <OneOf
          label={strings.unlock}
          name="unlock"
          pointer="/lockPolicy/unlock"
          of={Object.entries(strings.unlockBy)}
          chosen={lockPolicy.unlock}
        />
        <Group label={strings.locks} pointer="/lockPolicy/signature">
          <Choice
            name="signature"
            label={strings.signature}
            hint={strings.signatureHint}
            defaultChecked={lockPolicy.signature}
          />
        </Group>
        <PolicyRows properties={properties} groups={lockPolicy.groups ?? []} />
      </Form>
    </section>
  );
}
