/** Why the start failed, for the person at the terminal: a line per fault that says what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
