import { createPhones } from './phones.js';

const RECONNECT_MS = 1000;

const phones = createPhones(document.querySelector('#phones'));
const connection = document.querySelector('#connection');
const clearButton = document.querySelector('#clear');

connect();
clearButton.addEventListener('click', () => fetch('inbox', { method: 'DELETE' }).catch(() => {}));
setInterval(phones.tick, 1000);

/** Follows the stream. Each connection begins with a snapshot, so nothing is missed while there was none. */
function connect() {
  const events = new EventSource('events');
  const on = (name, handle) =>
    events.addEventListener(name, (event) => {
      handle(JSON.parse(event.data));
      showTotals();
    });

  on('snapshot', (snapshot) => {
    phones.reset(snapshot);
    showConnection('live', 'Live');
  });
  on('phone', phones.put);
  on('deleted', ({ arn }) => phones.markDeleted(arn));
  on('cleared', phones.clear);
  on('push', (push) => {
    phones.receive(push);
    announce(push);
  });
  events.addEventListener('error', () => {
    showConnection('lost', 'Connection lost, trying again');
    // The browser gives up for good when the server refuses; this never does.
    if (events.readyState !== EventSource.CLOSED) return;
    setTimeout(connect, RECONNECT_MS);
  });
}

function showConnection(state, text) {
  connection.dataset.state = state;
  connection.textContent = text;
}

function showTotals() {
  const { phoneCount, isFull, notificationCount } = phones.totals();
  document.querySelector('#empty').hidden = phoneCount > 0;
  document.querySelector('#summary').textContent =
    phoneCount === 0
      ? ''
      : `${isFull ? 'The newest ' : ''}${plural(phoneCount, 'phone')}, ${plural(notificationCount, 'notification')}`;
  clearButton.disabled = notificationCount === 0;
}

function announce({ platform, token, title, body }) {
  const text = [title, body].filter(Boolean).join(': ');
  document.querySelector('#announcement').textContent = `New on ${platform} ${token}. ${text}`;
}

function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
