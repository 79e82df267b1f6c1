import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pages = globSync(['*.md', 'docs/**/*.md', '.github/**/*.md', 'bench/**/*.md'], { cwd: root });
const sources = globSync(['{src,test,scripts,bench}/**/*.{ts,js}', 'openapi/*.yaml'], { cwd: root });

/** Reads a text file of the repository, without the code in fences, in which brackets are no links. */
function read(file: string): string {
  return readFileSync(join(root, file), 'utf8').replaceAll(/^```.*?^```$/gms, '');
}

/** The anchors that GitHub gives to the headings of a page. */
function anchors(page: string): readonly string[] {
  return [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** Whether a link on a page leads to a file of the repository, and to a heading of it if it names one. */
function leads(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(dirname(page), path);
  return existsSync(join(root, target)) && (anchor === undefined || anchors(target).includes(anchor));
}

describe('the documents', () => {
  it('link only to files and headings that exist', { tags: 'slow' }, () => {
    const dead = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !leads(page, link))
        .map((link) => `${page}: ${link}`),
    );
    expect(dead).toEqual([]);
  });

  it('are named by paths that exist', { tags: 'slow' }, () => {
    const dead = [...pages, ...sources].flatMap((file) =>
      (read(file).match(/(?<![\w./-])docs\/[\w/.-]+\.md\b/g) ?? [])
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${file}: ${path}`),
    );
    expect(dead).toEqual([]);
  });

  it('list every decision in the index', () => {
    const index = read('docs/decisions/README.md');
    const decisions = globSync('docs/decisions/[0-9]*.md', { cwd: root }).map((page) => basename(page));
    expect(decisions.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });
});
