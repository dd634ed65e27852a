/** Saves an answer of the service as a file on the person's machine, and reports the bytes received meanwhile. */
export async function download(
  answer: Promise<Response>,
  name: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
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
  await saveBlob(await new Response(counted ?? null, { headers }).blob(), name);
}

/** Saves a text as a file. */
export const saveText = (text: string, name: string, type: string): Promise<void> =>
  saveBlob(new Blob([text], { type }), name);

/** Spreadsheets know by it that a table is UTF-8. */
const mark = '\uFEFF';

/** A table with one mark, whether it came with one or not; any other file as it is. */
async function marked(blob: Blob): Promise<Blob> {
  if (!blob.type.startsWith('text/csv')) return blob;
  const start = new Uint8Array(await blob.slice(0, 3).arrayBuffer());
  const hasMark = start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf;
  return hasMark ? blob : new Blob([mark, blob], { type: blob.type });
}

async function saveBlob(blob: Blob, name: string) {
  const url = URL.createObjectURL(await marked(blob));
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
