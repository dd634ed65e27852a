/** GET and HEAD, which change nothing, and whose bodies have no meaning (RFC 9110, 9.3.1). */
export const isReading = ({ method }: { method: string }): boolean => method === 'GET' || method === 'HEAD';
