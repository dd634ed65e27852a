const everyMs = 1000;
const signatures = {
  holds: 'Signature holds',
  'does not hold': 'Signature does not hold',
  unknown: 'Signature not checked: add the secret',
};

const find = (selector, root = document) => root.querySelector(selector);
let shown = '';

find('#address').textContent = new URL('calls', location.href).href;
find('#clear').addEventListener('click', () => fetch('calls', { method: 'DELETE' }).then(look, () => {}));
find('#secret').addEventListener('submit', async (event) => {
  event.preventDefault();
  const body = JSON.stringify({ secret: find('#given').value.trim() });
  const answer = await fetch('secrets', { method: 'POST', body }).catch(() => null);
  find('#added').textContent = answer?.ok
    ? 'Added: it counts from the next call on.'
    : 'That is not a secret of a webhook.';
  if (answer?.ok) event.target.reset();
});
lookOn();

async function lookOn() {
  await look();
  setTimeout(lookOn, everyMs);
}

async function look() {
  const answer = await fetch('calls').catch(() => null);
  find('#connection').dataset.state = answer?.ok ? 'live' : 'lost';
  find('#connection').textContent = answer?.ok ? 'Live' : 'Connection lost, trying again';
  if (!answer?.ok) return;
  const text = await answer.text();
  if (text === shown) return;
  shown = text;
  const calls = JSON.parse(text);
  find('#empty').hidden = calls.length > 0;
  find('#calls').replaceChildren(...calls.map(show));
}

function show({ at, status, id, signature, body }) {
  const call = find('#call').content.firstElementChild.cloneNode(true);
  find('time', call).dateTime = at;
  find('time', call).textContent = new Date(at).toLocaleTimeString();
  find('.answer', call).textContent = `Answered ${status}`;
  find('.signature', call).textContent = signatures[signature];
  find('.signature', call).dataset.signature = signature;
  find('.changes', call).textContent = describe(body);
  find('pre', call).textContent = `webhook-id: ${id}\n${JSON.stringify(body, null, 2)}`;
  return call;
}

function describe(body) {
  if (body?.type === 'webhook.test') return 'A test';
  if (!Array.isArray(body?.changes)) return 'Not a call of a webhook';
  const kinds = body.changes.map(({ kind, state }) => `${kind} ${state}`);
  const texts = [...new Set(kinds)].map((kind) => `${kinds.filter((one) => one === kind).length} × ${kind}`);
  return `${texts.join(', ')} (position ${body.next} of ${body.latest})`;
}
