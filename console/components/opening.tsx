import { Brand } from './brand.tsx';
import { Loading } from './states.tsx';

/** The frame of the console before the service has said who is signed in. */
export const Opening = () => (
  <>
    <header class="top-bar">
      <Brand />
    </header>
    <main class="page">
      <Loading />
    </main>
  </>
);
