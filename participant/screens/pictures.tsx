import type { ComponentChildren } from 'preact';
import type { HomeCode } from '../kept-state.ts';
import { useTexts } from '../strings/texts.ts';

/* Drawn steps for phones that cannot receive reminders yet. The text beside a picture says the same. */

function Steps({ steps }: { steps: { picture: ComponentChildren; text: string }[] }) {
  return (
    <ol class="steps">
      {steps.map(({ picture, text }) => (
        <li key={text}>
          {picture}
          <p>{text}</p>
        </li>
      ))}
    </ol>
  );
}

function Phone({ children }: { children: ComponentChildren }) {
  return (
    <svg class="picture" viewBox="0 0 96 96" aria-hidden="true">
      <rect class="p-body" x="14" y="3" width="68" height="90" rx="11" />
      <rect class="p-screen" x="18" y="8" width="60" height="80" rx="7" />
      {children}
    </svg>
  );
}

const Share = () => (
  <Phone>
    <rect class="p-line" x="26" y="18" width="44" height="5" rx="2.5" />
    <rect class="p-line" x="26" y="28" width="34" height="5" rx="2.5" />
    <rect class="p-line" x="26" y="38" width="40" height="5" rx="2.5" />
    <rect class="p-bar" x="18" y="68" width="60" height="20" rx="7" />
    <circle class="p-mark" cx="48" cy="76" r="14" />
    <path class="p-on" d="M48 68v11M44 72l4-4 4 4M43 75h-2v8h14v-8h-2" />
  </Phone>
);

const Add = () => (
  <Phone>
    <rect class="p-bar" x="22" y="30" width="52" height="14" rx="4" />
    <rect class="p-line" x="28" y="35" width="24" height="4" rx="2" />
    <rect class="p-fill" x="22" y="48" width="52" height="16" rx="4" />
    <rect class="p-on-fill" x="28" y="54" width="26" height="4" rx="2" />
    <path class="p-on" d="M62 51.500h8.500v8.500h-8.500zM66.250 53.500v4.500M64 55.750h4.500" />
    <rect class="p-bar" x="22" y="68" width="52" height="14" rx="4" />
    <rect class="p-line" x="28" y="73" width="20" height="4" rx="2" />
  </Phone>
);

const Open = () => (
  <Phone>
    {[
      [25, 17],
      [41, 17],
      [57, 17],
      [25, 33],
      [57, 33],
      [25, 49],
      [41, 49],
    ].map(([x, y]) => (
      <rect key={`${x} ${y}`} class="p-bar" x={x} y={y} width="13" height="13" rx="3.500" />
    ))}
    <rect class="p-fill" x="38" y="30" width="19" height="19" rx="5" />
    <path
      class="p-on-fill"
      d="M47.500 33.500a1 1 0 0 1 1 1v.3a4 4 0 0 1 3 3.900v2.500l1.100 1.700a.6.6 0 0 1-.5.900h-9.200a.6.6 0 0 1-.5-.900l1.100-1.700v-2.500a4 4 0 0 1 3-3.900v-.3a1 1 0 0 1 1-1Zm-1.500 11.200h3a1.500 1.500 0 0 1-3 0Z"
    />
  </Phone>
);

const Site = () => (
  <Phone>
    <rect class="p-bar" x="22" y="14" width="52" height="14" rx="7" />
    <circle class="p-mark" cx="30" cy="21" r="9" />
    <path class="p-on" d="M26 19h8M26 23h8M28 17.500v3M32 21.500v3" />
    <rect class="p-line" x="43" y="19" width="26" height="4" rx="2" />
    <rect class="p-line" x="26" y="40" width="44" height="5" rx="2.500" />
    <rect class="p-line" x="26" y="50" width="34" height="5" rx="2.500" />
    <rect class="p-line" x="26" y="60" width="40" height="5" rx="2.500" />
  </Phone>
);

const Switch = () => (
  <Phone>
    <rect class="p-bar" x="22" y="36" width="52" height="22" rx="5" />
    <rect class="p-line" x="27" y="45" width="20" height="4" rx="2" />
    <rect class="p-fill" x="52" y="41" width="18" height="12" rx="6" />
    <circle class="p-on-fill" cx="64" cy="47" r="4.500" />
  </Phone>
);

const Again = () => (
  <Phone>
    <circle class="p-mark" cx="48" cy="46" r="20" />
    <path class="p-on" d="M57 42a9.500 9.500 0 1 0 .8 7M58 36v7h-7" />
  </Phone>
);

/** Puts the page on the home screen of an iPhone or iPad. */
export function InstallSteps({ code }: { code: HomeCode | undefined }) {
  const { install } = useTexts().texts;
  return (
    <>
      <Steps
        steps={[
          { picture: <Share />, text: install.share },
          { picture: <Add />, text: install.add },
          { picture: <Open />, text: install.open },
        ]}
      />
      {/* For an iPhone that does not take the code along to its home screen. */}
      {code && (
        <section class="card">
          <p>{install.code}</p>
          <p class="code shown">{code.code}</p>
        </section>
      )}
    </>
  );
}

/** Allows notifications that were blocked. */
export function UnblockSteps() {
  const { reminders } = useTexts().texts;
  return (
    <Steps
      steps={[
        { picture: <Site />, text: reminders.deniedSite },
        { picture: <Switch />, text: reminders.deniedSwitch },
        { picture: <Again />, text: reminders.deniedReload },
      ]}
    />
  );
}
