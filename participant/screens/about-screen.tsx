import { Heading } from '../components.tsx';
import type { Information } from '../enrol.ts';
import type { Kept } from '../kept-state.ts';
import { fill, useTexts } from '../strings/texts.ts';
import { momentText } from '../time.ts';
import { InformationText } from './information.tsx';

/** The study's text of this phone's language, else the English one, else the first by its tag; as the service chooses. */
export function presentText(kept: Kept, language: string): Information | undefined {
  const study = kept.snapshot?.studies.find(
    ({ identifier }) => identifier === kept.session?.study.identifier,
  );
  const texts = study?.information ?? {};
  const tags = Object.keys(texts).sort();
  const isOf = (wanted: string) => (tag: string) => tag.toLowerCase() === wanted;
  const tag =
    tags.find(isOf(language)) ??
    tags.find((candidate) => candidate.toLowerCase().startsWith(`${language}-`)) ??
    tags.find(isOf('en')) ??
    tags[0];
  const text = tag === undefined ? undefined : texts[tag];
  return tag !== undefined && text ? { language: tag, ...text } : undefined;
}

const isSame = (a: Information, b: Information) =>
  a.title === b.title && a.text === b.text && a.contact === b.contact;

/** The text that the person agreed to, and when; and the present one, if it is another. */
export function AboutScreen({ kept }: { kept: Kept }) {
  const { texts, language, locale } = useTexts();
  const { about } = texts;
  const { agreed } = kept;
  const present = presentText(kept, agreed?.language.toLowerCase() ?? language);
  const first = agreed ?? present;
  return (
    <>
      <Heading>{about.title}</Heading>
      {first ? <Text of={first} /> : <p>{about.none}</p>}
      {agreed && (
        <p class="note">{fill(about.agreed, { time: momentText(agreed.at, Date.now(), locale) })}</p>
      )}
      {agreed && present && !isSame(agreed, present) && (
        <section>
          <h2>{about.changed}</h2>
          <Text of={present} />
        </section>
      )}
    </>
  );
}

const Text = ({ of }: { of: Information }) => (
  <>
    <h2 lang={of.language} dir="auto">
      {of.title}
    </h2>
    <InformationText of={of} />
  </>
);
