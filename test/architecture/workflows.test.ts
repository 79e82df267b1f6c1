import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const files = globSync('.github/workflows/*.yml', { cwd: root }).toSorted();

/** A path below a folder of the repository, as a command or a setting names it. */
const PATHS = /(?<![\w./-])(?:\.github|bench|bin|docs|openapi|scripts|share|src|test)\/[\w./-]+/g;

type Workflow = {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
};
type Job = {
  readonly permissions?: unknown;
  readonly strategy?: { readonly matrix: { readonly node: readonly string[] } };
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
};

/** The jobs that may do more than read, and the one command that they run. */
const PUBLISHING: Readonly<Record<string, { permissions: unknown; command: RegExp }>> = {
  publish: {
    permissions: { contents: 'read', 'id-token': 'write' },
    command: /^npm publish \.\/[\w./*-]+ --provenance /,
  },
  release: {
    permissions: { contents: 'write', 'id-token': 'write', attestations: 'write' },
    command: /^gh release create .* --draft /,
  },
  'publish-images': {
    permissions: { packages: 'write', 'id-token': 'write', attestations: 'write' },
    command: /^docker (login|load|tag|push|buildx imagetools (create|inspect)) [^;&|()`]+$/,
  },
};

function read(file: string): Workflow {
  return parse(readFileSync(join(root, file), 'utf8'));
}

describe.each(files)('%s', (file) => {
  const { permissions, jobs } = read(file);

  it('may only read, but for the jobs that publish and run nothing else', () => {
    expect(permissions).toEqual({ contents: 'read' });
    const more = Object.entries(jobs).filter(([, job]) => job.permissions !== undefined);
    for (const [name, job] of more) {
      const { permissions: rights, command } = PUBLISHING[name] ?? {};
      expect(job.permissions).toEqual(rights);
      const commands = job.steps.flatMap(({ run }) => run ?? []);
      expect(commands.filter((line) => !command?.test(line))).toEqual([]);
    }
  });

  it('takes each action by its full version', () => {
    const used = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
    expect(used.filter((action) => !/^actions\/[a-z-]+@v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  it('names only files and folders that exist', () => {
    const named = readFileSync(join(root, file), 'utf8').match(PATHS) ?? [];
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('runs only scripts that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const lines = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    const named = lines.flatMap((line) =>
      [...line.matchAll(/npm (?:run ([\w:-]+)|(test|start))/g)].map((match) => match[1] ?? match[2] ?? ''),
    );
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

it('tries the lowest Node that payctl supports, and an older one', () => {
  expect(files).toHaveLength(2);
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const lowest = engines.node.replace('>=', '');
  const { test, windows } = read('.github/workflows/ci.yml').jobs;
  for (const job of [test, windows]) {
    expect(job?.strategy?.matrix.node).toEqual(expect.arrayContaining(['20', lowest]));
  }
});
