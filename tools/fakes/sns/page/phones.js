const maxPhones = 100;
const maxNotifications = 50;
/** More phones than these are drawn smaller. */
const fewPhones = 6;
const platforms = { GCM: 'Android', APNS: 'iPhone', APNS_SANDBOX: 'iPhone (sandbox)', web: 'Browser' };
const conditions = { disabled: 'Disabled: pushes are refused', deleted: 'Deleted at SNS' };

const find = (selector, root = document) => root.querySelector(selector);
const copy = (template) => find(template).content.firstElementChild.cloneNode(true);

/** By ARN: the phone as SNS knows it, its element, and the notifications that it shows, by collapse id. */
const phones = new Map();
/** By ARN: the name and time zone of the person, where the service knows them. */
let owners = {};

connect();
setInterval(readOwners, 2000);
setInterval(() => phones.forEach(showClock), 1000);
find('#search').addEventListener('input', arrange);
find('#clear').addEventListener('click', () => fetch('inbox', { method: 'DELETE' }).catch(() => {}));

/** Each connection begins with a snapshot, so nothing is missed in between. */
function connect() {
  const events = new EventSource('events');
  const on = (name, handle) =>
    events.addEventListener(name, ({ data }) => {
      handle(JSON.parse(data));
      arrange();
    });
  on('snapshot', (snapshot) => {
    phones.clear();
    snapshot.phones.forEach(put);
    snapshot.pushes.forEach(receive);
    showConnection('live', 'Live');
    readOwners();
  });
  on('phone', put);
  on('deleted', ({ arn }) => {
    if (phones.has(arn)) put({ ...phones.get(arn).details, condition: 'deleted' });
  });
  on('push', (push) => {
    receive(push);
    announce(push);
  });
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
  arrange();
}

function put(details) {
  const known = phones.get(details.arn);
  const phone = { element: known?.element ?? copy('#phone'), shown: known?.shown ?? new Map(), details };
  phones.set(details.arn, phone);
  describe(phone);
  if (phones.size > maxPhones) phones.delete(phones.keys().next().value);
}

function describe(phone) {
  const { element, details } = phone;
  const { arn, platform, token, enabled } = details;
  const kind = platforms[platform] ?? platform;
  const short = token.length <= 18 ? token : `${token.slice(0, 8)}…${token.slice(-6)}`;
  const { name, timeZone } = owners[arn] ?? {};
  const condition = details.condition ?? (enabled ? 'enabled' : 'disabled');
  phone.name = name ?? short;
  phone.timeZone = timeZone;
  element.id = arn;
  element.dataset.platform = platform;
  element.dataset.condition = condition;
  fill(find('h2', element), phone.name);
  fill(find('.about', element), [timeZone, kind, name && short].filter(Boolean).join(' · '));
  find('.about', element).title = `${token}\n${arn}`;
  fill(find('.condition', element), conditions[condition]);
  for (const time of element.querySelectorAll('time')) showTime(time, timeZone);
  showClock(phone);
}

function showTime(element, timeZone) {
  const parts = { weekday: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' };
  fill(element, new Date(element.dateTime).toLocaleTimeString([], { timeZone, ...parts }));
}

/** The phone's own time; of an unknown phone, the browser's. */
function showClock({ element, timeZone }) {
  const now = new Date();
  const time = { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  fill(find('.clock', element), now.toLocaleTimeString([], time));
  const date = { timeZone, weekday: 'long', day: 'numeric', month: 'long' };
  fill(find('.date', element), now.toLocaleDateString([], date));
}

/** A push takes the place of the shown one with its collapse id, as on a phone. */
function receive(push) {
  const phone = phones.get(push.endpointArn);
  if (!phone) return;
  const key = push.collapseId ?? push.messageId;
  const replaced = phone.shown.get(key);
  const notification = draw(push, phone, (replaced?.times ?? 0) + 1);
  find('details', notification.element).open = replaced ? find('details', replaced.element).open : false;
  replaced?.element.remove();
  phone.shown.delete(key);
  phone.shown.set(key, notification);
  find('.notifications', phone.element).prepend(notification.element);
  if (phone.shown.size <= maxNotifications) return;
  const [[oldest, { element }]] = phone.shown;
  element.remove();
  phone.shown.delete(oldest);
}

function draw({ at, title, body, data, attributes, collapseId, messageId }, { timeZone }, times) {
  const element = copy('#notification');
  fill(find('.title', element), title);
  fill(find('.body', element), body ?? (title ? '' : 'Silent push: only data'));
  fill(find('.repeats', element), times > 1 ? `×${times}` : '');
  find('.repeats', element).title = 'Pushed again with the same collapse id; a phone shows the last one';
  find('time', element).dateTime = at;
  showTime(find('time', element), timeZone);
  const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
  const details = [
    ...Object.entries(data).map(([name, value]) => [`data.${name}`, text(value)]),
    ['collapse id', collapseId ?? 'none: each push shows by itself'],
    ...Object.entries(attributes).map(([name, value]) => [name.replace('AWS.SNS.MOBILE.', ''), value]),
    ['message id', messageId],
    ['at', at],
  ];
  for (const [name, value] of details)
    for (const [tag, content] of [
      ['dt', name],
      ['dd', value],
    ])
      find('dl', element).append(Object.assign(document.createElement(tag), { textContent: content }));
  return { element, times };
}

function announce({ endpointArn, title, body }) {
  const link = Object.assign(document.createElement('a'), { href: `#${endpointArn}` });
  link.textContent = phones.get(endpointArn)?.name ?? 'an older phone';
  find('#latest').replaceChildren('Latest: ', link, `: ${[title, body].filter(Boolean).join(' – ')}`);
}

function clear() {
  find('#latest').replaceChildren();
  for (const [arn, { element, shown, details }] of phones) {
    if (details.condition === 'deleted') phones.delete(arn);
    find('.notifications', element).replaceChildren();
    shown.clear();
  }
}

/** Shows the phones that match the search, in order of name, and counts them. */
function arrange() {
  const words = find('#search').value.toLowerCase().split(/\s+/);
  const matches = ({ name, timeZone = '', details: { token, platform } }) => {
    const text = `${name} ${timeZone} ${token} ${platforms[platform]}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const all = [...phones.values()].sort((a, b) => a.name.localeCompare(b.name));
  const visible = all.filter(matches);
  const list = find('#phones');
  const elements = visible.map(({ element }) => element);
  // Moving an element would close what the reader has opened in it.
  if (elements.length !== list.children.length || elements.some((one, n) => one !== list.children[n]))
    list.replaceChildren(...elements);
  for (const { element, shown } of visible) find('.quiet', element).hidden = shown.size > 0;
  list.dataset.size = visible.length > fewPhones ? 'many' : 'few';

  const notifications = all.reduce((sum, { shown }) => sum + shown.size, 0);
  const count = visible.length < all.length ? `${visible.length} of ${all.length}` : all.length;
  const newest = phones.size < maxPhones ? '' : ', the newest ones';
  find('#summary').textContent = `Phones: ${count}${newest}. Notifications: ${notifications}.`;
  find('#summary').hidden = all.length === 0;
  find('#empty').hidden = all.length > 0;
  find('#search').hidden = all.length < 2;
  find('#clear').disabled = notifications === 0;
}

function fill(element, text = '') {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = !text;
}
