/** Why nothing was started, for the person at the terminal: one line per fault, and what to do about it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
