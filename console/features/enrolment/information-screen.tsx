import { useState } from 'preact/hooks';
import { mutate, useAnswer } from '../../answers.ts';
import { api, ifMatch, type Revised, revised, type Study } from '../../api.ts';
import { Button } from '../../components/button.tsx';
import { Form, Group, TextAreaField, TextField } from '../../components/form.tsx';
import { Icon } from '../../components/icon.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Unread } from '../../components/states.tsx';
import { useToast } from '../../components/toast.tsx';
import { isTwice, languageName } from '../../languages.ts';
import { useStudy } from '../../study-context.ts';
import { draftsOf, informationOf, newDraft, type TextDraft } from './information-draft.ts';
import { strings } from './information-strings.ts';

const ofStudy = api.investigation[':id'];
const maxLanguages = 50;

/** The text that people read before they join, in each language, with a preview. */
export function Information() {
  const { id, screenPath } = useStudy();
  const { data, error, reload } = useAnswer(['study', id, 'revised'], async (options) =>
    revised(await ofStudy.$get({ param: { id } }, options)),
  );
  return (
    <>
      <PageHead
        title={strings.title}
        about={strings.about}
        back={{ href: screenPath('/participants'), label: strings.back }}
      >
        <a class="button" href={screenPath('/members/codes')}>
          <Icon name="phone" />
          {strings.codes}
        </a>
      </PageHead>
      {!data ? (
        <Unread error={error} reload={reload} />
      ) : data.value.status === 'archived' ? (
        <p class="note">
          <Icon name="archive" /> {strings.archived}
        </p>
      ) : (
        <Editor key={data.etag} record={data} />
      )}
    </>
  );
}

function Editor({ record: { value, etag } }: { record: Revised<Study> }) {
  const toast = useToast();
  const [drafts, setDrafts] = useState(() => draftsOf(value.information));
  const set = (key: number, change: Partial<TextDraft>) =>
    setDrafts(drafts.map((draft) => (draft.key === key ? { ...draft, ...change } : draft)));
  async function save() {
    const json = { information: informationOf(drafts) };
    await ofStudy.$patch({ param: { id: value.identifier }, json }, ifMatch(etag));
    toast({ text: strings.saved });
    mutate(['study', value.identifier]);
  }
  const isWrong = drafts.some(({ tag }) => isTwice(drafts, tag));
  return (
    <section class="card" aria-label={strings.title}>
      <Form submit={strings.save} onSubmit={save} blocked={isWrong ? strings.twice : undefined}>
        <p class="hint">{drafts.length === 0 ? strings.none : strings.fallback}</p>
        {drafts.map((draft, n) => (
          <Language
            key={draft.key}
            draft={draft}
            n={n + 1}
            fault={isTwice(drafts, draft.tag) ? strings.twice : undefined}
            onChange={(change) => set(draft.key, change)}
            onRemove={() => setDrafts(drafts.filter(({ key }) => key !== draft.key))}
          />
        ))}
        <div>
          <Button
            icon="plus"
            disabled={drafts.length >= maxLanguages}
            onClick={() => setDrafts([...drafts, newDraft(drafts.length === 0 ? 'en' : '')])}
          >
            {strings.add}
          </Button>
        </div>
      </Form>
    </section>
  );
}

interface LanguageProps {
  draft: TextDraft;
  n: number;
  fault: string | undefined;
  onChange: (change: Partial<TextDraft>) => void;
  onRemove: () => void;
}

function Language({ draft, n, fault, onChange, onRemove }: LanguageProps) {
  const { tag, title, text, contact } = draft;
  const pointer = `/information/${tag.trim()}`;
  const lang = tag.trim() || undefined;
  return (
    <Group label={strings.heading(n, tag.trim())} pointer={pointer} fault={fault}>
      <div class="information-head">
        <TextField
          label={strings.language}
          hint={strings.languageHint(languageName(tag))}
          value={tag}
          required
          spellcheck={false}
          onInput={(event) => onChange({ tag: event.currentTarget.value })}
        />
        <Button kind="quiet" icon="trash" hideLabel onClick={onRemove}>
          {strings.remove(tag.trim())}
        </Button>
      </div>
      <div class="information-pair">
        <div class="form">
          <TextField
            label={strings.textTitle}
            pointer={`${pointer}/title`}
            value={title}
            maxLength={200}
            dir="auto"
            lang={lang}
            required
            onInput={(event) => onChange({ title: event.currentTarget.value })}
          />
          <TextAreaField
            label={strings.text}
            pointer={`${pointer}/text`}
            hint={strings.textHint}
            value={text}
            rows={10}
            maxLength={20_000}
            dir="auto"
            lang={lang}
            required
            onInput={(event) => onChange({ text: event.currentTarget.value })}
          />
          <TextAreaField
            label={strings.contact}
            pointer={`${pointer}/contact`}
            hint={strings.contactHint}
            value={contact}
            rows={3}
            maxLength={1000}
            dir="auto"
            lang={lang}
            required
            onInput={(event) => onChange({ contact: event.currentTarget.value })}
          />
        </div>
        <Preview of={draft} />
      </div>
    </Group>
  );
}

/** Roughly as the participants' page shows it. */
function Preview({ of: { tag, title, text, contact } }: { of: TextDraft }) {
  const { study } = useStudy();
  return (
    <figure class="information-preview">
      <figcaption class="muted">{strings.preview}</figcaption>
      <p class="muted" dir="auto">
        {study.name}
      </p>
      <div lang={tag.trim() || undefined} dir="auto">
        <p class="information-title">{title || strings.textTitle}</p>
        <p class="information-text">{text || strings.text}</p>
        <p class="information-text">{contact || strings.contact}</p>
      </div>
      <p class="information-agree" aria-hidden="true">
        {strings.agree}
      </p>
    </figure>
  );
}
