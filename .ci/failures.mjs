import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

/*
 * A reporter: keeps what failed, as soon as it does, and which files are under way, for the end of the log; also when the
 * run never ends. FAILURES is a path without an ending.
 */
const { FAILURES = 'failures' } = process.env;
const [failed, running] = [`${FAILURES}.failed`, `${FAILURES}.running`];

// Of a failure: what was expected and what came, and where.
const textOf = ({ message, diff, stacks = [] }) => {
  const places = stacks.slice(0, 3).map(({ file, line, column }) => `  at ${file}:${line}:${column}`);
  const lines = [message?.slice(0, 2000), diff?.slice(0, 4000), ...places];
  return stripVTControlCharacters(lines.filter(Boolean).join('\n'));
};

export default class Failures {
  #running = new Set();

  #note(name, errors) {
    if (errors.length > 0) appendFileSync(failed, `\nFAILED: ${name}\n${errors.map(textOf).join('\n')}\n`);
  }

  #update(change) {
    change();
    writeFileSync(running, [...this.#running].map((name) => `${name}\n`).join(''));
  }

  onTestModuleStart({ relativeModuleId, project }) {
    this.#update(() => this.#running.add(`${project.name} ${relativeModuleId}`));
  }

  onTestModuleEnd(module) {
    const name = `${module.project.name} ${module.relativeModuleId}`;
    this.#update(() => this.#running.delete(name));
    this.#note(name, module.errors());
    for (const suite of module.children.allSuites())
      this.#note(`${name} > ${suite.fullName}`, suite.errors());
  }

  onTestCaseResult(test) {
    const { state, errors = [] } = test.result();
    if (state !== 'failed') return;
    this.#note(`${test.project.name} ${test.module.relativeModuleId} > ${test.fullName}`, errors);
  }

  onTestRunEnd(_, errors, reason) {
    this.#note('outside any test', errors);
    if (reason !== 'interrupted') rmSync(running, { force: true });
  }
}
