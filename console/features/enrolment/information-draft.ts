import type { Study } from '../../api.ts';

export interface TextDraft {
  key: number;
  tag: string;
  title: string;
  text: string;
  contact: string;
}

type Texts = NonNullable<Study['information']>;

let lastKey = 0;

export const newDraft = (tag = ''): TextDraft => ({ key: ++lastKey, tag, title: '', text: '', contact: '' });

export const draftsOf = (information: Texts | undefined): TextDraft[] =>
  Object.entries(information ?? {}).map(([tag, text]) => ({ ...newDraft(tag), ...text }));

/** Null: no text in any language. */
export const informationOf = (drafts: readonly TextDraft[]): Texts | null =>
  drafts.length === 0
    ? null
    : Object.fromEntries(
        drafts.map(({ tag, title, text, contact }) => [tag.trim(), { title, text, contact }]),
      );

/** The hash by which the service says that a person agreed to a text: of its canonical JSON, whose keys are sorted. */
export async function hashOf({ title, text, contact }: Texts[string]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify({ contact, text, title }));
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
