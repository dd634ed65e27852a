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
  saveBlob(await new Response(counted ?? null, { headers }).blob(), name);
}

/** Saves a text as a file, with a mark by which spreadsheets know that it is UTF-8. */
export function saveText(text: string, name: string, type: string): void {
  saveBlob(new Blob([`\uFEFF${text}`], { type }), name);
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
