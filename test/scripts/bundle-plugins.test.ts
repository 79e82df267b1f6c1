import { describe, expect, it } from 'vitest';
import { commandWithoutStdout, directBuiltins, lazyOclif, omitUnused } from '../../scripts/bundle-plugins.ts';
import { bundleSource } from './bundle-source.ts';

const SOURCE = `import { Command } from '@oclif/core/command';
  import { boolean, custom } from '@oclif/core/flags';
  export class Greet extends Command {
    static flags = {
      loud: boolean(),
      name: custom({ parse: async (text) => text.toUpperCase() })(),
    };
    async run() { return (await this.parse(Greet)).flags; }
  }`;

type Greet = new (argv: string[], config: object) => { run(): Promise<object> };

/** Loads a command that is bundled as the build does it. `touched` are the modules of Node that it has loaded, and `stdout`. */
async function loadCommand() {
  const { code } = await bundleSource(SOURCE, [lazyOclif, commandWithoutStdout, directBuiltins, omitUnused]);
  const touched: string[] = [];
  const getBuiltinModule = (name: string) => {
    touched.push(name);
    return process.getBuiltinModule(name);
  };
  const stdout = () => {
    touched.push('stdout');
    return process.stdout;
  };
  const own = Object.create(process, {
    getBuiltinModule: { value: getBuiltinModule },
    stdout: { configurable: true, get: stdout },
  });
  const exports = {} as { Greet: Greet };
  new Function('exports', 'require', 'process', code)(exports, getBuiltinModule, own);
  const isRestored = Object.getOwnPropertyDescriptor(own, 'stdout')?.get === stdout;
  return { Greet: exports.Greet, touched, isRestored };
}

describe('oclif in the bundle', () => {
  const config = { bin: 'greet', runHook: async () => ({ successes: [], failures: [] }) };

  it('parses flags', { tags: 'slow' }, async () => {
    const { Greet } = await loadCommand();
    expect(await new Greet(['--loud', '--name', 'ada'], config).run()).toEqual({ loud: true, name: 'ADA' });
    await expect(new Greet(['--quiet'], config).run()).rejects.toThrow('Nonexistent flag: --quiet');
  });

  it('loads what Node has for terminals when it is needed, and not with the command', {
    tags: 'slow',
  }, async () => {
    const { touched } = await loadCommand();
    expect(touched).not.toContain('node:readline');
    expect(touched).not.toContain('node:util');
  });

  it('leaves stdout alone, and as it was', { tags: 'slow' }, async () => {
    const { touched, isRestored } = await loadCommand();
    expect(touched).not.toContain('stdout');
    expect(isRestored).toBe(true);
  });
});

describe('what payctl never calls of its libraries', () => {
  const load = (id: string): Record<string, () => void> => {
    const { handler } = omitUnused.load as { handler: (id: string) => { code: string } };
    const module = { exports: {} };
    new Function('module', handler(id).code)(module);
    return module.exports as Record<string, () => void>;
  };

  it('throws when it is called all the same, by its name', () => {
    const help = load('/clone/node_modules/@oclif/core/lib/help/index.js');
    expect(() => help.loadHelpClass?.()).toThrow('payctl is built without @oclif/core/lib/help/index.js');
  });

  it('logs nothing for the developers of oclif', () => {
    const debug = load('/clone/node_modules/debug/src/index.js') as unknown as (
      name: string,
    ) => () => unknown;
    expect(debug('oclif')()).toBeUndefined();
  });
});
