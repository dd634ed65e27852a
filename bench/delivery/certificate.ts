import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

/** Paths of files in PEM. */
export interface Certificate {
  certificate: string;
  key: string;
}

/** Of the length that AWS uses. */
const keyType = ['-newkey', 'rsa:2048', '-noenc'];
/** Longer than any run, whose clock may be days ahead. */
const days = '30';

/**
 * A new certificate for 127.0.0.1, signed by itself, which only this process trusts, and those that run in the environment
 * of `trustIn`. @throws without openssl on the PATH
 */
export function createCertificate(folder: string): Certificate {
  const paths = { certificate: join(folder, 'sns.crt'), key: join(folder, 'sns.key') };
  const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  // rustls takes no authority for a server.
  const use = ['-days', days, '-addext', 'basicConstraints=critical,CA:FALSE'];
  const files = ['-out', paths.certificate, '-keyout', paths.key];
  execFileSync('openssl', ['req', '-x509', ...keyType, ...names, ...use, ...files], { stdio: 'pipe' });
  setDefaultCACertificates([...getCACertificates(), readFileSync(paths.certificate, 'utf8')]);
  return paths;
}

/** The environment of a process on Node, Deno or workerd that trusts the certificate. */
export const trustIn = ({ certificate }: Certificate): Record<string, string> => ({
  NODE_EXTRA_CA_CERTS: certificate,
  DENO_CERT: certificate,
});
