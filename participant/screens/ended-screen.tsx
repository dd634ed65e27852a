import { Heading, Link } from '../components.tsx';
import type { Kept } from '../kept-state.ts';
import { counted, useTexts } from '../strings/texts.ts';
import { ownSubmissions } from '../submissions.ts';

/** The token was ended: by a new phone, or by the team of the study. */
export function Ended({ kept }: { kept: Kept }) {
  const { texts, language } = useTexts();
  const home = kept.homeCode !== undefined;
  const waiting = ownSubmissions(kept.outbox, kept.session).filter(({ state }) => state === 'waiting').length;
  return (
    <>
      <Heading>{home ? texts.ended.home : texts.ended.title}</Heading>
      <p>{home ? texts.ended.homeText : texts.ended.text}</p>
      {waiting > 0 && <p class="note">{counted(texts.ended.waiting, waiting, language)}</p>}
      <Link to={{ view: 'join' }} class="button main wide">
        {texts.ended.submit}
      </Link>
    </>
  );
}
