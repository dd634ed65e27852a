import { useLayoutEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { Options, SelectField } from '../../components/form.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { useStudy } from '../../study-context.ts';
import { Poster } from './code-poster.tsx';
import type { Code } from './codes.ts';
import { type SheetLanguage, sheetTexts, strings } from './enrolment-strings.ts';

const languages = Object.keys(sheetTexts) as SheetLanguage[];
const ofBrowser = languages.find((language) => navigator.language.startsWith(language)) ?? 'en';

/** A sheet of codes, as it will be printed: the rest of the page is left out on paper. */
export function Sheet({ codes, onClose }: { codes: readonly Code[]; onClose: () => void }) {
  const [language, setLanguage] = useState<SheetLanguage>(ofBrowser);
  const [isPoster, setPoster] = useState(false);
  const [only] = codes.length === 1 ? codes : [];
  useLayoutEffect(() => {
    document.body.classList.add('with-sheet');
    return () => document.body.classList.remove('with-sheet');
  }, []);
  return (
    <>
      <PageHead
        title={strings.sheetTitle(codes.length)}
        about={isPoster ? strings.posterAbout : strings.sheetAbout}
      >
        <Button icon="back" onClick={onClose}>
          {strings.sheetBack}
        </Button>
        <Button kind="primary" icon="survey" onClick={() => print()}>
          {strings.sheetPrint}
        </Button>
      </PageHead>
      <div class="filters">
        <SelectField
          label={strings.sheetLanguage}
          value={language}
          onChange={(event) =>
            setLanguage(languages.find((language) => language === event.currentTarget.value) ?? 'en')
          }
        >
          <Options of={languages.map((language) => [language, sheetTexts[language].name])} />
        </SelectField>
        {only && (
          <SelectField
            label={strings.as}
            value={isPoster ? 'poster' : 'sheet'}
            onChange={(event) => setPoster(event.currentTarget.value === 'poster')}
          >
            <option value="sheet">{strings.asSheet}</option>
            <option value="poster">{strings.asPoster}</option>
          </SelectField>
        )}
      </div>
      {only && isPoster ? (
        <Poster code={only} language={language} />
      ) : (
        <Cards codes={codes} language={language} />
      )}
    </>
  );
}

function Cards({ codes, language }: { codes: readonly Code[]; language: SheetLanguage }) {
  const { study } = useStudy();
  const texts = sheetTexts[language];
  return (
    <ul class="sheet" lang={language}>
      {codes.map((code) => (
        <li key={code.identifier}>
          <QrCode text={code.url} label={strings.qr(code.code)} />
          <div>
            <p class="sheet-study" dir="auto">
              {study.name}
            </p>
            <p>{texts.scan}</p>
            <p>{texts.type(code.url.replace(/^https:\/\/|#.*$/g, ''))}</p>
            <p class="sheet-code">{code.code}</p>
            <p class="sheet-note" dir="auto">
              {strings.numbered(code.number, code.label)}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
