import { useState } from 'preact/hooks';
import { api, ifMatch, type Revised, type Survey as SurveyShape } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { ProblemNote } from '../../components/problem-note.tsx';
import { EmptyState } from '../../components/states.tsx';
import { useToast } from '../../components/toast.tsx';
import { useStudyChanges } from '../../study-changes.ts';
import { useStudy } from '../../study-context.ts';
import { useTask } from '../../task.ts';
import { describeReminders } from '../reminders/describe.ts';
import { PhonePreview } from '../reminders/phone-preview.tsx';
import type { Reminders } from '../reminders/reminder-draft.ts';
import { strings as reminderStrings } from '../reminders/reminder-strings.ts';
import { ForDialog, ForText } from './for-dialog.tsx';
import { SurveyPage } from './survey-page.tsx';
import { strings } from './survey-strings.ts';

/** One survey: its reminders and its items. */
export const Survey = () => (
  <SurveyPage>{(survey, reload) => <Shown survey={survey} reload={reload} />}</SurveyPage>
);

function Shown({ survey: { value, etag }, reload }: { survey: Revised<SurveyShape>; reload: () => void }) {
  const { study, properties, screenPath, can } = useStudy();
  const [isChanging, setChanging] = useState(false);
  const toast = useToast();
  const { run, busy, error } = useTask();
  const isEditor = can('design');
  const canEdit = isEditor && !value.archivedAt && !study.frozenAt;
  const { identifier: id, name } = value;
  useStudyChanges(reload);

  async function setStatus(status: 'active' | 'archived', revision?: string) {
    await api.survey[':id'].$patch(
      { param: { id }, json: { status } },
      revision === undefined ? undefined : ifMatch(revision),
    );
  }
  async function change() {
    const [to, back] = value.archivedAt
      ? (['active', 'archived'] as const)
      : (['archived', 'active'] as const);
    await setStatus(to, etag).finally(reload);
    toast({
      text: to === 'archived' ? strings.archived(name) : strings.broughtBack(name),
      undo: () => setStatus(back).then(reload),
    });
  }

  return (
    <>
      <PageHead title={name} back={{ href: screenPath('/surveys'), label: strings.all }}>
        {isEditor && !study.frozenAt && (
          <Button
            icon={value.archivedAt ? 'restore' : 'archive'}
            busy={busy !== undefined}
            onClick={() => run(change)}
          >
            {value.archivedAt ? strings.bringBack : strings.archive}
          </Button>
        )}
      </PageHead>
      {error !== undefined && <ProblemNote error={error} />}
      {value.archivedAt && (
        <p class="note">
          <Icon name="archive" /> {strings.archivedNote}
        </p>
      )}
      {can('readAll') && properties.length > 0 && (
        <section class="card action" aria-labelledby="for">
          <div>
            <h2 id="for">{strings.for}</h2>
            <p>
              <ForText rule={value.for} />
            </p>
          </div>
          {canEdit && (
            <Button icon="pencil" onClick={() => setChanging(true)}>
              {strings.forChange}
            </Button>
          )}
        </section>
      )}
      {isChanging && (
        <ForDialog survey={{ value, etag }} onClose={() => setChanging(false)} onChanged={reload} />
      )}
      <section class="card" aria-labelledby="reminders">
        <header class="card-head">
          <h2 id="reminders">{strings.remindersTitle}</h2>
          {canEdit && value.reminders && (
            <a class="button plain" href={screenPath(`/surveys/${id}/reminders`)}>
              <Icon name="pencil" />
              {strings.editReminders}
            </a>
          )}
        </header>
        {value.reminders ? (
          <Reminding reminders={value.reminders} />
        ) : (
          <EmptyState icon="bell" title={strings.noRemindersTitle}>
            {canEdit && (
              <>
                <p>{strings.noRemindersAbout}</p>
                <a class="button primary" href={screenPath(`/surveys/${id}/reminders`)}>
                  {strings.addReminders}
                </a>
              </>
            )}
          </EmptyState>
        )}
      </section>
      <section class="card" aria-labelledby="items">
        <header class="card-head">
          <h2 id="items">{strings.itemsTitle}</h2>
          {canEdit && value.items.length > 0 && (
            <a class="button plain" href={screenPath(`/surveys/${id}/items`)}>
              <Icon name="pencil" />
              {strings.editItems}
            </a>
          )}
        </header>
        {value.items.length > 0 ? (
          <ol class="items">
            {value.items.map(({ identifier, label, answer }) => (
              <li key={identifier}>
                <span dir="auto">{label}</span> <code class="muted">{identifier}</code>
                {answer && (
                  <div class="muted">
                    {strings.answerAbout(
                      strings.kinds[answer.kind],
                      answer.required === true,
                      'sets' in answer ? answer.sets : undefined,
                    )}
                    {'options' in answer && answer.options && (
                      <span dir="auto">: {answer.options.map((option) => option.label).join(' · ')}</span>
                    )}
                  </div>
                )}
              </li>
            ))}
          </ol>
        ) : (
          <EmptyState icon="survey" title={strings.noItems}>
            {canEdit && (
              <>
                <p>{strings.noItemsAbout}</p>
                <a class="button primary" href={screenPath(`/surveys/${id}/items`)}>
                  {strings.addItems}
                </a>
              </>
            )}
          </EmptyState>
        )}
      </section>
    </>
  );
}

function Reminding({ reminders }: { reminders: Reminders }) {
  const { notification, translations, expiresAfter, unlessAnswered } = reminders;
  const languages = Object.keys(translations ?? {}).length;
  const more = [
    strings.ownClock,
    strings.expires(reminderStrings.minutes(expiresAfter)),
    unlessAnswered && strings.unlessAnswered,
    languages > 0 && strings.languages(languages),
  ];
  return (
    <div class="reminding">
      <div>
        <p class="lead">{describeReminders(reminders)}.</p>
        <p class="muted">{more.filter(Boolean).join(' · ')}</p>
      </div>
      <PhonePreview subject={notification.subject} body={notification.body} />
    </div>
  );
}
