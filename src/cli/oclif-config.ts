import type { Config } from '@oclif/core';
import type { Runtime } from './runtime.ts';

/**
 * The little that oclif's Command and parser ask of their configuration. Loading the real one reads the manifest of every
 * command and looks for plugins, which payctl has none of; that is a third of the start-up time of a command.
 */
export function oclifConfig(runtime: Runtime): Config {
  const config = {
    bin: 'payctl',
    name: 'payctl',
    version: runtime.version,
    userAgent: `payctl/${runtime.version}`,
    pjson: { name: 'payctl', version: runtime.version, oclif: {} },
    plugins: new Map(),
    topicSeparator: ' ',
    runHook: async () => ({ successes: [], failures: [] }),
  };
  return config as unknown as Config;
}
