import type { Information } from '../enrol.ts';
import { useTexts } from '../strings/texts.ts';

/** The study's own text, in its own language, which may be one that the page lacks. It is plain text. */
export function InformationText({ of: { language, text, contact } }: { of: Information }) {
  const { join } = useTexts().texts;
  return (
    <>
      <p class="prose" lang={language} dir="auto">
        {text}
      </p>
      <section class="card">
        <h2>{join.contact}</h2>
        <p class="prose" lang={language} dir="auto">
          {contact}
        </p>
      </section>
    </>
  );
}
