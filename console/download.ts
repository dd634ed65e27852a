import { useState } from 'preact/hooks';
import { slowApi } from './api.ts';

/** Saves answers of the service as files. Meanwhile `bytes` are received; undefined if no answer is under way. */
export function useDownload() {
  const [bytes, setBytes] = useState<number>();
  async function save({ path, accept, file }: { path: string; accept: string; file: string }) {
    setBytes(0);
    try {
      await download(slowApi.fetch(path, { headers: { accept } }), file, setBytes);
    } finally {
      setBytes(undefined);
    }
  }
  return { bytes, save };
}

/** Saves an answer on the person's machine, and reports the bytes received meanwhile. */
async function download(answer: Promise<Response>, name: string, onBytes: (bytes: number) => void) {
  const { body, headers } = await answer;
  let bytes = 0;
  const counted = body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, stream) {
        bytes += part.length;
        onBytes(bytes);
        stream.enqueue(part);
      },
    }),
  );
  saveBlob(await new Response(counted ?? null, { headers }).blob(), name);
}

/** Spreadsheets know by it that a table is UTF-8. */
const mark = '\uFEFF';

/** Saves a table as a file (CSV). */
export const saveTable = (csv: string, name: string): void =>
  saveBlob(new Blob([mark, csv], { type: 'text/csv' }), name);

/** The path of a list, which answers with a table that has the mark. */
export function tablePath(
  path: string,
  query: Readonly<Record<string, string | readonly string[] | undefined>> = {},
): string {
  const all = new URLSearchParams();
  for (const [name, given = []] of Object.entries({ ...query, mark: 'true' }))
    for (const value of [given].flat()) all.append(name, value);
  return `${path}?${all}`;
}

function saveBlob(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A name for a file: readable, and without characters that file systems refuse. */
export const fileName = (name: string, ending: string): string =>
  `${name.replaceAll(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'fieldbell'}.${ending}`;
