/** The reason why the service cannot start, in words for its operator. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
