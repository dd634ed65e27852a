/** The card of a push. `replaced` is the shown one whose place it takes, if any. */
export function createNotification(push, replaced) {
  const element = document.querySelector('#notification-template').content.firstElementChild.cloneNode(true);
  const times = (replaced?.times ?? 0) + 1;
  fill(element.querySelector('.title'), push.title);
  fill(element.querySelector('.body'), push.body);
  if (!push.title && !push.body) fill(element.querySelector('.body'), 'Silent push: only data');

  const repeats = element.querySelector('.repeats');
  repeats.hidden = times === 1;
  repeats.textContent = `×${times}`;
  repeats.title = `Pushed ${times} times with the same collapse id; a phone shows the last`;

  const time = element.querySelector('time');
  time.dateTime = push.at;
  time.title = push.at;
  time.textContent = formatTime(new Date(push.at));

  const list = element.querySelector('dl');
  for (const [name, value] of detailsOf(push, times)) list.append(make('dt', name), make('dd', value));
  element.querySelector('details').open = replaced?.element.querySelector('details').open ?? false;
  return { element, times };
}

function detailsOf({ at, messageId, collapseId, data, attributes }, times) {
  const text = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
  return [
    ...Object.entries(data).map(([name, value]) => [`data.${name}`, text(value)]),
    ['collapse id', collapseId ?? 'none: each push shows by itself'],
    ...(times > 1 ? [['pushed', `${times} times`]] : []),
    ...Object.entries(attributes).map(([name, value]) => [name.replace('AWS.SNS.MOBILE.', ''), value]),
    ['message id', messageId],
    ['at', at],
  ];
}

function formatTime(at) {
  const time = at.toLocaleTimeString([], { timeStyle: 'medium', hourCycle: 'h23' });
  const isToday = at.toDateString() === new Date().toDateString();
  return isToday ? time : `${at.toLocaleDateString([], { day: 'numeric', month: 'short' })}, ${time}`;
}

function fill(element, text) {
  element.textContent = text ?? '';
  element.hidden = !text;
}

function make(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
