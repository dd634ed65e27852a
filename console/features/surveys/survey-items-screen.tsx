import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { api, ifMatch, isProblem, type Revised, type Survey } from '../../api.ts';
import { strings as common } from '../../common-strings.ts';
import { Button } from '../../components/button.tsx';
import { Form, Group, TextField } from '../../components/form.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { useToast } from '../../components/toast.tsx';
import { useStudy } from '../../study-context.ts';
import { answerOf } from './answer-draft.ts';
import { AnswerFields } from './answer-fields.tsx';
import { AnswerPreview } from './answer-preview.tsx';
import { type Item, itemsOf, newItem, nextNumber } from './item-drafts.ts';
import { MeanwhileNote, titleOf, useMeanwhile } from './meanwhile-note.tsx';
import { SurveyPage } from './survey-page.tsx';
import { strings } from './survey-strings.ts';
import { readConcerned, WordingDialog, type WordingQuestion } from './wording-dialog.tsx';

/** The name and the items of a survey, as a form. */
export const SurveyItems = () => <SurveyPage>{(survey) => <Editor record={survey} />}</SurveyPage>;

function Editor({ record }: { record: Revised<Survey> }) {
  const { study, screenPath } = useStudy();
  const { route } = useLocation();
  const toast = useToast();
  const [base, setBase] = useState(record);
  const [name, setName] = useState(base.value.name);
  const [items, setItems] = useState(() =>
    base.value.items.length > 0 ? itemsOf(base.value) : [newItem(1)],
  );
  const [fault, setFault] = useState<unknown>();
  const { theirs, check } = useMeanwhile(base);
  const { identifier: id } = base.value;
  const home = screenPath(`/surveys/${id}`);

  const [asking, setAsking] = useState<WordingQuestion>();

  /** Answers keep their meaning: an editor of the wording reads which answers it concerns. */
  async function ask() {
    const question = await readConcerned(study.identifier, base.value, itemsToSave());
    if (question) setAsking(question);
    else await save();
  }

  const itemsToSave = () =>
    items.map(({ identifier, label, answer: draft }) => {
      const answer = answerOf(draft);
      return { identifier, label, ...(answer && { answer }) };
    });

  async function save() {
    const change = { name: name.trim(), items: itemsToSave() };
    setAsking(undefined);
    try {
      await api.survey[':id'].$patch({ param: { id }, json: change }, ifMatch(base.etag));
    } catch (error) {
      if (isProblem(error, 'revision.stale')) await check();
      throw error;
    }
    toast({ text: strings.saved });
    route(home);
  }
  /** The form behind the dialog shows what the service refuses. */
  async function saveAsked() {
    setFault(undefined);
    await save().catch(setFault);
  }
  const setItem = (key: number, change: Partial<Item>) =>
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...change } : item)));
  const move = (from: number, to: number) =>
    setItems((all) => {
      const moved = [...all];
      moved.splice(to, 0, ...moved.splice(from, 1));
      return moved;
    });

  return (
    <>
      <PageHead
        title={strings.editTitle(base.value.name)}
        about={strings.editAbout}
        back={{ href: home, label: base.value.name }}
      />
      {theirs && (
        <MeanwhileNote
          title={titleOf(theirs)}
          what={strings.now(`${theirs.value.name}, ${strings.itemCount(theirs.value.items.length)}`)}
          onLoad={() => {
            setBase(theirs);
            setName(theirs.value.name);
            setItems(itemsOf(theirs.value));
          }}
          onKeep={() => setBase(theirs)}
        />
      )}
      <Form
        submit={strings.save}
        blocked={
          study.frozenAt
            ? common.problem.byCode['study.frozen']
            : base.value.archivedAt && strings.archivedNote
        }
        fault={fault}
        onSubmit={ask}
        beside={
          <a class="button plain" href={home}>
            {common.cancel}
          </a>
        }
      >
        <TextField
          label={strings.name}
          pointer="/name"
          value={name}
          required
          onInput={(event) => setName(event.currentTarget.value)}
        />
        {items.map(({ key, identifier, label, answer }, n) => (
          <Group key={key} label={strings.item(n + 1)}>
            <div class="item-fields">
              <TextField
                label={strings.label}
                pointer={`/items/${n}/label`}
                value={label}
                dir="auto"
                onInput={(event) => setItem(key, { label: event.currentTarget.value })}
              />
              <TextField
                label={strings.identifier}
                pointer={`/items/${n}/identifier`}
                value={identifier}
                spellcheck={false}
                required
                onInput={(event) => setItem(key, { identifier: event.currentTarget.value })}
              />
              <div class="item-buttons">
                <Button kind="quiet" icon="up" hideLabel disabled={n === 0} onClick={() => move(n, n - 1)}>
                  {strings.moveUp(n + 1)}
                </Button>
                <Button
                  kind="quiet"
                  icon="down"
                  hideLabel
                  disabled={n === items.length - 1}
                  onClick={() => move(n, n + 1)}
                >
                  {strings.moveDown(n + 1)}
                </Button>
                <Button
                  kind="quiet"
                  icon="trash"
                  hideLabel
                  onClick={() => setItems((all) => all.filter((item) => item.key !== key))}
                >
                  {strings.removeItem(n + 1)}
                </Button>
              </div>
            </div>
            <AnswerFields
              draft={answer}
              pointer={`/items/${n}/answer`}
              set={(changed) => setItem(key, { answer: changed })}
            />
            <AnswerPreview label={label} draft={answer} />
          </Group>
        ))}
        <div>
          <Button icon="plus" onClick={() => setItems((all) => [...all, newItem(nextNumber(all))])}>
            {strings.addItem}
          </Button>
        </div>
      </Form>
      {asking && <WordingDialog {...asking} onClose={() => setAsking(undefined)} onSure={saveAsked} />}
    </>
  );
}
