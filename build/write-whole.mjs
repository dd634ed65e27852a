// For builds of files that wrangler serves and watches, of which several may run at once.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Writes a file at once: nobody reads the half of it. */
export function writeWhole(path, contents) {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  writeFileSync(temporary, contents);
  renameSync(temporary, path);
}

/** The same, where the file has another text or none. */
export function writeIfNew(path, text) {
  try {
    if (readFileSync(path, 'utf8') === text) return;
  } catch {
    // It is not there yet.
  }
  writeWhole(path, text);
}
