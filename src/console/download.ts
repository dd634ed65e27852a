/** Saves what the service sends as a file on the person's machine. */
export async function download(answer: Promise<Response>, name: string): Promise<void> {
  const url = URL.createObjectURL(await (await answer).blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it a moment later.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A name for a file: what people call it, without what file systems refuse. */
export const fileName = (name: string, ending: string): string =>
  `${name.replaceAll(/[^\p{L}\p{N} _-]+/gu, '').trim() || 'fieldbell'}.${ending}`;
