import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/**
 * Makes `payctl/client` of the files that the program is loaded from: dist/client.js, an ES module with these names, in front of
 * dist/client.cjs. Bundlers do not see what a wrapped file requires, so each file that the library reaches says it again, where they do.
 * @throws Error if it reaches the command line
 */
export function writeLibrary(dist: string, names: readonly string[]): void {
  const files = new Set(['client.cjs']);
  for (const file of files) {
    const code = readFileSync(join(dist, file), 'latin1');
    const required = new Set([...code.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, name = '']) => name));
    for (const name of required) if (name.startsWith('.')) files.add(posix.join(posix.dirname(file), name));
    const table = [...required].map((name) => `"${name}":()=>require("${name}")`);
    const seen = code.replace('require,module,__filename', `name=>({${table}})[name](),module`);
    writeFileSync(join(dist, file), seen, 'latin1');
  }
  if (files.has('main.cjs')) throw new Error(`the client library reaches main.cjs: ${[...files].join(', ')}`);
  const code = `import client from './client.cjs';\nexport const { ${names.join(', ')} } = client;\n`;
  writeFileSync(join(dist, 'client.js'), code);
}
