import type { TokenFault } from '../../auth/token-fault.ts';
import { parseExactJson } from '../../json/exact-json.ts';
import { type DetailOptions, renderDetail } from '../../output/detail.ts';
import { inWords } from '../duration-words.ts';
import type { InspectedToken } from './inspection-text.ts';

/**
 * The inspection for a person at a terminal: sections of two columns each, times also in words. Everything that comes from
 * the token is sanitised.
 */
export function viewInspection(inspected: InspectedToken, options: DetailOptions): string {
  const { token, faults, verdicts } = inspected;
  const good = verdicts.filter(({ lacking }) => lacking.length === 0);
  const notGood = verdicts.filter(({ lacking }) => lacking.length > 0);
  const sections: [title: string, content: unknown][] = [
    ['header', compact(parseExactJson(token.headerText))],
    ['claims', compact(parseExactJson(token.claimsText))],
    ['in words', summary(inspected)],
    ['faults', messagesOf(faults, 'fault')],
    ['warnings', messagesOf(faults, 'warning')],
    ['good for, by its scopes', named(good.map(({ command, needed }) => [command, needed.join(' and ')]))],
    [
      'not good for',
      named(notGood.map(({ command, lacking }) => [command, `lacks ${lacking.join(' and ')}`])),
    ],
  ];
  return sections.map(([title, content]) => renderDetail({ [title]: content }, options)).join('\n');
}

/** Lists of texts, such as scopes, stand on one line. */
function compact(members: unknown): unknown {
  if (typeof members !== 'object' || members === null) return members;
  const isTexts = (value: unknown): value is string[] =>
    Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string');
  const entries = Object.entries(members);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isTexts(value) ? value.join(', ') : value]),
  );
}

function summary({ token, now }: InspectedToken): Readonly<Record<string, string>> {
  const { scopes, issuedAt, notBefore, expiresAt } = token.content;
  const time = (date: Date | undefined) => {
    if (!date) return '-';
    const ahead = date.getTime() - now.getTime();
    return `${date.toISOString()}, ${ahead > 0 ? `in ${inWords(ahead)}` : `${inWords(ahead)} ago`}`;
  };
  return {
    scopes: scopes.join(', ') || '-',
    issued: time(issuedAt),
    'not before': time(notBefore),
    expires: time(expiresAt),
  };
}

/** One code may come up twice, for two claims. */
function messagesOf(faults: readonly TokenFault[], severity: TokenFault['severity']): unknown {
  const messages = new Map<string, string>();
  for (const { code, severity: found, message } of faults) {
    if (found === severity) messages.set(code, [messages.get(code), message].filter(Boolean).join(' '));
  }
  return named([...messages]);
}

function named(entries: readonly (readonly [string, string])[]): unknown {
  return entries.length > 0 ? Object.fromEntries(entries) : 'none';
}
