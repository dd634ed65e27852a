import { useState } from 'preact/hooks';
import { Field, Status } from '../components.tsx';
import { type Language, languages, useTexts } from '../strings/texts.ts';

interface Props {
  onLanguage: (language: Language) => Promise<void>;
}

/** Another language is shown once its texts are here. */
export function LanguageChoice({ onLanguage }: Props) {
  const { texts, language } = useTexts();
  const { settings } = texts;
  const [isFailed, setFailed] = useState(false);
  const choose = async (select: HTMLSelectElement) => {
    try {
      setFailed(false);
      await onLanguage(select.value as Language);
    } catch {
      // Its file is out of reach: the page stays as it is.
      select.value = language;
      setFailed(true);
    }
  };
  return (
    <section class="card">
      <Field label={settings.language}>
        {(ids) => (
          <select {...ids} value={language} onChange={({ currentTarget }) => void choose(currentTarget)}>
            {Object.entries(languages).map(([tag, name]) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Status variant="bad">{isFailed && settings.languageFailed}</Status>
    </section>
  );
}
