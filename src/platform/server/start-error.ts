/** Why the service cannot start, in words for whoever starts it. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
