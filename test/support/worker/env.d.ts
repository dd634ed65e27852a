import type { D1Migration } from '@cloudflare/vitest-plugin';
import type { Bindings } from '../../../src/platform/cloudflare/bindings.ts';

declare global {
  namespace Cloudflare {
    interface Env extends Bindings {
      TEST_MIGRATIONS: D1Migration[];
      AUTH_ISSUER: string;
      AUTH_AUDIENCE: string;
      AUTH_SECRET: string;
      PARTICIPANT_SIGNING_KEY: string;
      SNS_ENDPOINT: string;
    }
    interface GlobalProps {
      mainModule: typeof import('../../../src/worker.ts');
    }
  }
}
