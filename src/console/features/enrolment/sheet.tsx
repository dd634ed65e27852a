import { useLayoutEffect, useState } from 'preact/hooks';
import { Button } from '../../components/button.tsx';
import { SelectField } from '../../components/form.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { useStudy } from '../../study-context.ts';
import type { Code } from './codes.ts';
import { sheetTexts, strings } from './enrolment-strings.ts';

type Language = keyof typeof sheetTexts;
const languages = Object.keys(sheetTexts) as Language[];
const ofBrowser = languages.find((one) => navigator.language.startsWith(one)) ?? 'en';

/** A sheet of codes, as it will be printed: the rest of the page is left out on paper. */
export function Sheet({ codes, onClose }: { codes: readonly Code[]; onClose: () => void }) {
  const { study } = useStudy();
  const [language, setLanguage] = useState<Language>(ofBrowser);
  const texts = sheetTexts[language];
  useLayoutEffect(() => {
    document.body.classList.add('with-sheet');
    return () => document.body.classList.remove('with-sheet');
  }, []);
  return (
    <>
      <PageHead title={strings.sheetTitle(codes.length)} about={strings.sheetAbout}>
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
            setLanguage(languages.find((one) => one === event.currentTarget.value) ?? 'en')
          }
        >
          {languages.map((one) => (
            <option key={one} value={one}>
              {sheetTexts[one].name}
            </option>
          ))}
        </SelectField>
      </div>
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
    </>
  );
}
