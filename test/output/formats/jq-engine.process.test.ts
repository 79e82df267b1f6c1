import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';

const ENGINE = JSON.stringify(pathToFileURL(resolve('src/output/formats/jq-engine.ts')).href);

/** Prints the modules of Node that runs of jq load. */
const SCRIPT = `
  const { loadEngine } = await import(${ENGINE});
  const engine = await loadEngine();
  const loaded = new Set(process.moduleLoadList);
  engine({ expression: '[.[] | tostring, now]', json: '[1, {"a": null}]' });
  engine({ expression: 'error("stop")', json: '1' });
  const added = process.moduleLoadList.filter((name) => !loaded.has(name));
  process.stdout.write(JSON.stringify(added));
`;

it('loads no module of Node in a run, because a run that is stopped would leave it half loaded', () => {
  const args = ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', SCRIPT];
  expect(JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))).toEqual([]);
});
