import { QrCode } from '../../components/qr-code.tsx';
import { useStudy } from '../../study-context.ts';
import type { Code } from './codes.ts';
import { type SheetLanguage, sheetTexts, strings } from './enrolment-strings.ts';

/** One code as a page for a wall: its QR code takes half of the page, so that people read it from some steps away. */
export function Poster({ code, language }: { code: Code; language: SheetLanguage }) {
  const { study } = useStudy();
  const texts = sheetTexts[language];
  const information = Object.entries(study.information ?? {}).find(
    ([tag]) => tag.toLowerCase().split('-')[0] === language,
  )?.[1];
  return (
    <article class="poster" lang={language} aria-label={strings.posterOf(code.code)}>
      <p class="poster-study" dir="auto">
        {study.name}
      </p>
      {information && (
        <p class="poster-title" dir="auto">
          {information.title}
        </p>
      )}
      <QrCode text={code.url} label={strings.qr(code.code)} />
      <p class="poster-scan">{texts.scan}</p>
      <p>{texts.type(code.url.replace(/^https?:\/\/|#.*$/g, ''))}</p>
      <p class="sheet-code">{code.code}</p>
      {information && (
        <p class="poster-contact" dir="auto">
          {information.contact}
        </p>
      )}
    </article>
  );
}
