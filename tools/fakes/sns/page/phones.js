const maxPhones = 100;
const maxNotifications = 50;
const platforms = { GCM: 'Android', APNS: 'iPhone', APNS_SANDBOX: 'iPhone (sandbox)', web: 'Browser' };
const conditions = { disabled: 'disabled: pushes are refused', deleted: 'deleted at SNS' };

const find = (selector, root = document) => root.querySelector(selector);
const copy = (template) => find(template).content.firstElementChild.cloneNode(true);

/** By ARN: the phone as SNS knows it, its element, and the notifications that it shows, by collapse id. */
const phones = new Map();
/** By ARN: the name and time zone of the person, where the service knows them. */
let owners = {};

connect();
setInterval(readOwners, 2000);
find('#clear').addEventListener('click', () => fetch('inbox', { method: 'DELETE' }).catch(() => {}));

/** Each connection begins with a snapshot, so nothing is missed in between. */
function connect() {
  const events = new EventSource('events');
  const on = (name, handle) => events.addEventListener(name, ({ data }) => handle(JSON.parse(data)));
  on('snapshot', (snapshot) => {
    phones.clear();
    find('#phones').replaceChildren();
    snapshot.phones.forEach(put);
    snapshot.pushes.forEach(receive);
    find('#empty').hidden = phones.size > 0;
    showConnection('live', 'Live');
    readOwners();
  });
  on('phone', put);
  on('deleted', ({ arn }) => phones.has(arn) && put({ ...phones.get(arn).details, condition: 'deleted' }));
  on('push', receive);
  on('cleared', clear);
  events.addEventListener('error', () => {
    showConnection('lost', 'Connection lost, trying again');
    // The browser gives up for good when the server refuses.
    if (events.readyState === EventSource.CLOSED) setTimeout(connect, 1000);
  });
}

function showConnection(state, text) {
  find('#connection').dataset.state = state;
  find('#connection').textContent = text;
}

/** People register and travel at any time. */
async function readOwners() {
  const answer = await fetch('owners').catch(() => null);
  if (!answer?.ok) return;
  owners = await answer.json();
  phones.forEach(describe);
}

function put(details) {
  const known = phones.get(details.arn);
  const phone = { element: known?.element ?? copy('#phone'), shown: known?.shown ?? new Map(), details };
  phones.set(details.arn, phone);
  if (!known) find('#phones').append(phone.element);
  describe(phone);
  find('#empty').hidden = true;
  if (phones.size > maxPhones) drop(phones, phones.keys().next().value);
}

function drop(map, key) {
  map.get(key)?.element.remove();
  map.delete(key);
}

function describe({ element, details }) {
  const { arn, platform, token, enabled } = details;
  const short = token.length <= 18 ? token : `${token.slice(0, 8)}…${token.slice(-6)}`;
  const { name, timeZone } = owners[arn] ?? {};
  const condition = details.condition ?? (enabled ? 'enabled' : 'disabled');
  element.dataset.condition = condition;
  fill(find('h2', element), name ?? short);
  const about = [conditions[condition], timeZone, platforms[platform] ?? platform, name && short];
  fill(find('.about', element), about.filter(Boolean).join(' · '));
  find('.about', element).title = `${token}\n${arn}`;
  for (const time of element.querySelectorAll('time')) showTime(time, timeZone);
}

function showTime(element, timeZone) {
  const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' };
  fill(element, new Date(element.dateTime).toLocaleTimeString([], { timeZone, ...parts }));
}

/** A push takes the place of the shown one with its collapse id, as on a phone. */
function receive(push) {
  const phone = phones.get(push.endpointArn);
  if (!phone) return;
  const key = push.collapseId ?? push.messageId;
  const times = (phone.shown.get(key)?.times ?? 0) + 1;
  drop(phone.shown, key);
  const element = draw(push, times);
  phone.shown.set(key, { element, times });
  find('.screen', phone.element).prepend(element);
  describe(phone);
  if (phone.shown.size > maxNotifications) drop(phone.shown, phone.shown.keys().next().value);
}

function draw({ at, title, body, data, attributes, collapseId, messageId }, times) {
  const element = copy('#notification');
  fill(find('.title', element), title);
  fill(find('.body', element), body ?? (title ? '' : 'Silent push: only data'));
  fill(find('.repeats', element), times > 1 ? `×${times}` : '');
  find('.repeats', element).title = 'Pushed again with the same collapse id; a phone shows the last one';
  find('time', element).dateTime = at;
  const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
  const details = [
    ...Object.entries(data).map(([name, value]) => [`data.${name}`, text(value)]),
    ['collapse id', collapseId ?? 'none: each push shows by itself'],
    ...Object.entries(attributes).map(([name, value]) => [name.replace('AWS.SNS.MOBILE.', ''), value]),
    ['message id', messageId],
    ['at', at],
  ];
  for (const [name, value] of details) {
    const term = Object.assign(document.createElement('dt'), { textContent: name });
    find('dl', element).append(term, Object.assign(document.createElement('dd'), { textContent: value }));
  }
  return element;
}

function clear() {
  for (const [arn, { shown, details }] of phones) {
    for (const key of shown.keys()) drop(shown, key);
    if (details.condition === 'deleted') drop(phones, arn);
  }
}

function fill(element, text = '') {
  if (element.textContent !== text) element.textContent = text ?? '';
  element.hidden = !text;
}
