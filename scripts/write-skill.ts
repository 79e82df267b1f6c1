/**
 * Writes share/skills/payctl/SKILL.md, what agents read about payctl, from the page of `payctl help agents`. With --check it compares
 * instead, and fails when the file is stale.
 */
import type { Block, Section } from '../src/cli/routing/help/page.ts';
import { agentSections } from './help/agents-page.ts';
import { writeOrCheck } from './written-files.ts';

/** What agents read of all skills, to choose one. */
const DESCRIPTION =
  'Administers a payment orchestration service, or any service with an OpenAPI description, from the command line: finds buyers, payment methods, checkout sessions and transactions, explains API errors, and changes records safely. Use it when a task names payctl or such a service.';

const HEAD = `---
name: payctl
description: "${DESCRIPTION}"
---

<!-- Written by scripts/write-skill.ts from the page of payctl help agents; do not edit. -->

# payctl
`;

/** The file as it should be. */
export function skill(): string {
  return `${[HEAD, ...agentSections().map(sectionOf)].join('\n')}`;
}

function sectionOf({ heading, blocks }: Section): string {
  const title = heading === '' ? [] : [`## ${heading.charAt(0)}${heading.slice(1).toLowerCase()}\n`];
  const parts = blocks.map((block, index) => {
    if (block.kind !== 'command') return `${markdown(block)}\n`;
    const isFirst = blocks[index - 1]?.kind !== 'command';
    const isLast = blocks[index + 1]?.kind !== 'command';
    return `${isFirst ? '```sh\n' : ''}${block.command}${isLast ? '\n```\n' : ''}`;
  });
  return [...title, ...parts].join('\n');
}

function markdown(block: Exclude<Block, { kind: 'command' }>): string {
  if (block.kind === 'text') return block.text;
  return block.rows
    .map(([term, words]) => (/^\d+\.$/.test(term) ? `${term} ${words}` : `- \`${term}\`: ${words}`))
    .join('\n');
}

if (import.meta.main) writeOrCheck([['share/skills/payctl/SKILL.md', skill()]]);
