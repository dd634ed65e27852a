/** A log whose entries are as they were written. */
interface Checked {
  /** The number of its entries. */
  position: number;
  /** The position of the head, if one was given. */
  head: number | undefined;
  /** Whether the head was compared with a key set. */
  isSigned: boolean;
  /** Entries with a digest of their items whose lists were not given. */
  unlisted: number;
  /** Entries that are shown with less. */
  redacted: number;
}

/** The open questions of a run, and the file that answers each: one sentence each. */
export function notChecked({ position, head, isSigned, unlisted, redacted }: Checked): string[] {
  return [
    'The names of people (`actorName`): they may change, and no hash covers them. `actor` is covered.',
    ...(head === undefined
      ? ['Whether entries are missing at the end, or all of the log was rebuilt: give a head (--head).']
      : endOf(position, head)),
    ...(head !== undefined && !isSigned
      ? ['Whether the service signed the head: anybody can write one. Give its keys (--jwks).']
      : []),
    ...(isSigned
      ? ['Whether the keys are those of the service: get them from its /.well-known/jwks.json yourself.']
      : []),
    ...(redacted > 0
      ? [
          `The content of ${count(redacted)} of which the reader sees a part (\`redacted\`), and that none of them was put in or edited: let an owner check the whole log.`,
        ]
      : []),
    ...(unlisted > 0
      ? [`The items of ${count(unlisted)} with a digest of them: give the lists (--items).`]
      : []),
  ];
}

const endOf = (position: number, head: number) =>
  position > head
    ? [
        `Whether the ${count(position - head)} after position ${head}, where the head ends, were rebuilt, or others are missing at the end: give a newer head.`,
      ]
    : [`Whether entries were written after position ${head}, where log and head end.`];

const count = (n: number) => (n === 1 ? 'one entry' : `${n} entries`);
