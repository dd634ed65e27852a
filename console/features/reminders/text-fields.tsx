import { Button } from '../../components/button.tsx';
import { Group, TextAreaField, TextField } from '../../components/form.tsx';
import { isTwice, languageName } from '../../languages.ts';
import { PhonePreview } from './phone-preview.tsx';
import type { DraftProps } from './reminder-draft.ts';
import { newKey, type TextDraft } from './reminder-draft.ts';
import { strings } from './reminder-strings.ts';

const [maxSubject, maxBody, maxTranslations] = [200, 4000, 50];

/** The text of the reminders, with its translations. */
export function TextFields({ draft: { subject, body, translations }, set }: DraftProps) {
  const setText = (key: number, change: Partial<TextDraft>) =>
    set({ translations: translations.map((text) => (text.key === key ? { ...text, ...change } : text)) });
  return (
    <section class="card form" aria-labelledby="text">
      <h2 id="text">{strings.text}</h2>
      <Group label={strings.textHint} pointer="/reminders/notification">
        <Text at="/reminders/notification" subject={subject} body={body} onChange={set} />
        <PhonePreview subject={subject} body={body} />
      </Group>
      {translations.map(({ key, tag, subject, body }, n) => {
        const pointer = `/reminders/translations/${tag.trim()}`;
        return (
          <Group
            key={key}
            label={strings.translation(n + 1, tag)}
            pointer={pointer}
            fault={isTwice(translations, tag) ? strings.twice : undefined}
          >
            <div class="translation-head">
              <TextField
                label={strings.language}
                hint={strings.languageHint(languageName(tag))}
                value={tag}
                required
                spellcheck={false}
                onInput={(event) => setText(key, { tag: event.currentTarget.value })}
              />
              <Button
                kind="quiet"
                icon="trash"
                hideLabel
                onClick={() => set({ translations: translations.filter((text) => text.key !== key) })}
              >
                {strings.removeTranslation(tag)}
              </Button>
            </div>
            <Text
              at={pointer}
              subject={subject}
              body={body}
              lang={tag}
              onChange={(change) => setText(key, change)}
            />
          </Group>
        );
      })}
      <div>
        <Button
          icon="plus"
          disabled={translations.length >= maxTranslations}
          onClick={() =>
            set({ translations: [...translations, { key: newKey(), tag: '', subject: '', body: '' }] })
          }
        >
          {strings.addTranslation}
        </Button>
        <p class="hint">{strings.limits}</p>
      </div>
    </section>
  );
}

function Text({
  at,
  subject,
  body,
  lang,
  onChange,
}: {
  at: string;
  subject: string;
  body: string;
  lang?: string;
  onChange: (change: { subject?: string; body?: string }) => void;
}) {
  return (
    <>
      <TextField
        label={strings.subject}
        pointer={`${at}/subject`}
        hint={strings.length(subject.length, maxSubject)}
        dir="auto"
        lang={lang || undefined}
        required
        value={subject}
        onInput={(event) => onChange({ subject: event.currentTarget.value })}
      />
      <TextAreaField
        label={strings.body}
        pointer={`${at}/body`}
        hint={strings.length(body.length, maxBody)}
        dir="auto"
        lang={lang || undefined}
        required
        value={body}
        onInput={(event) => onChange({ body: event.currentTarget.value })}
      />
    </>
  );
}
