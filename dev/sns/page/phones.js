import { createNotification } from './notifications.js';

const MAX_PHONES = 100;
const MAX_NOTIFICATIONS = 50;
const PLATFORM_NAMES = { GCM: 'Android', APNS: 'iPhone', APNS_SANDBOX: 'iPhone (sandbox)' };

/** The phones side by side in `list`, newest first, each with what it shows. */
export function createPhones(list) {
  const phones = new Map();

  function put(details) {
    const phone = phones.get(details.arn) ?? add(details);
    describe(phone.element, details);
  }

  function add({ arn, platform }) {
    const element = document.querySelector('#phone-template').content.firstElementChild.cloneNode(true);
    element.dataset.family = platform.startsWith('APNS') ? 'ios' : 'android';
    const phone = { element, shown: new Map() };
    phones.set(arn, phone);
    list.prepend(element);
    showClock(element, new Date());
    if (phones.size > MAX_PHONES) remove(phones.keys().next().value);
    return phone;
  }

  function remove(arn) {
    phones.get(arn)?.element.remove();
    phones.delete(arn);
  }

  /** A push with the collapse id of one that is shown takes its place, as on a phone. */
  function receive(push, { deleted = false } = {}) {
    if (!phones.has(push.endpointArn)) {
      // One of many older phones: its push is in GET /inbox, but the newest phones stay in sight.
      if (phones.size >= MAX_PHONES) return;
      put({ arn: push.endpointArn, platform: push.platform, token: push.token, enabled: true, deleted });
    }
    const { element, shown } = phones.get(push.endpointArn);
    const key = push.collapseId ?? push.messageId;
    const replaced = shown.get(key);
    const notification = createNotification(push, replaced);
    replaced?.element.remove();
    shown.delete(key);
    shown.set(key, notification);
    element.querySelector('.notifications').prepend(notification.element);
    if (shown.size > MAX_NOTIFICATIONS) {
      const [oldest] = shown.keys();
      shown.get(oldest).element.remove();
      shown.delete(oldest);
    }
    showQuiet(element, false);
  }

  return {
    put,
    receive,
    /** Starts over from what the server knows. Pushes to phones that it no longer knows are shown as theirs. */
    reset(snapshot) {
      for (const arn of [...phones.keys()]) remove(arn);
      const known = new Set(snapshot.phones.map((phone) => phone.arn));
      for (const push of snapshot.pushes.filter(({ endpointArn }) => !known.has(endpointArn))) {
        receive(push, { deleted: true });
      }
      for (const phone of snapshot.phones) put(phone);
      for (const push of snapshot.pushes.filter(({ endpointArn }) => known.has(endpointArn))) receive(push);
    },
    markDeleted(arn) {
      const phone = phones.get(arn);
      if (phone?.shown.size === 0) remove(arn);
      else if (phone) describeCondition(phone.element, 'deleted');
    },
    clear() {
      for (const [arn, phone] of phones) {
        if (phone.element.dataset.condition === 'deleted') remove(arn);
        for (const { element } of phone.shown.values()) element.remove();
        phone.shown.clear();
        showQuiet(phone.element, true);
      }
    },
    totals: () => ({
      phoneCount: phones.size,
      isFull: phones.size >= MAX_PHONES,
      notificationCount: [...phones.values()].reduce((sum, { shown }) => sum + shown.size, 0),
    }),
    tick() {
      const now = new Date();
      for (const { element } of phones.values()) showClock(element, now);
    },
  };
}

function describe(element, { arn, platform, token, enabled, deleted = false }) {
  const name = PLATFORM_NAMES[platform] ?? platform;
  element.querySelector('.platform').textContent = name;
  const code = element.querySelector('.token');
  code.textContent = shorten(token);
  code.title = `${token}\n${arn}`;
  element
    .querySelector('.notifications')
    .setAttribute('aria-label', `Notifications on ${name} ${shorten(token)}`);
  const whenKnown = enabled ? 'enabled' : 'disabled';
  describeCondition(element, deleted ? 'deleted' : whenKnown);
}

function describeCondition(element, condition) {
  const banner = { disabled: 'Disabled: pushes are refused', deleted: 'Deleted at SNS' }[condition];
  element.dataset.condition = condition;
  element.querySelector('.condition').textContent = condition;
  element.querySelector('.banner').hidden = banner === undefined;
  element.querySelector('.banner').textContent = banner ?? '';
}

function showQuiet(element, quiet) {
  element.querySelector('.quiet').hidden = !quiet;
}

function showClock(element, now) {
  const time = now.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  const clock = element.querySelector('.clock');
  if (clock.textContent === time) return;
  clock.textContent = time;
  element.querySelector('.lock-time').textContent = time;
  element.querySelector('.lock-date').textContent = now.toLocaleDateString([], {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
  });
}

function shorten(token) {
  return token.length <= 18 ? token : `${token.slice(0, 8)}…${token.slice(-6)}`;
}
