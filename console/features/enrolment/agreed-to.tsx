import { useEffect, useState } from 'preact/hooks';
import { useStudy } from '../../study-context.ts';
import { hashOf } from './information-draft.ts';
import { strings } from './information-strings.ts';

/** The information under which a person joined, as far as it is the present one. */
export function AgreedTo({ hash }: { hash: string | null }) {
  const { study } = useStudy();
  const [language, setLanguage] = useState<string>();
  useEffect(() => {
    setLanguage(undefined);
    for (const [tag, text] of Object.entries(study.information ?? {}))
      void hashOf(text).then((other) => other === hash && setLanguage(tag));
  }, [hash, study.information]);
  if (hash === null) return <span class="muted">{strings.agreedToNone}</span>;
  return (
    <span class="muted" title={hash}>
      {language === undefined ? strings.agreedEarlier(hash.slice(0, 8)) : strings.agreedTo(language)}
    </span>
  );
}
