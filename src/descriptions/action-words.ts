import { own } from '../json/is-object.ts';
import { snake } from '../schemas/values/names.ts';

/** Irregular participles, and statuses that are not participles. */
const IRREGULAR: Readonly<Record<string, readonly string[]>> = {
  cancel: ['canceled', 'cancelled'],
  submit: ['submitted'],
  send: ['sent'],
  pay: ['paid'],
  hold: ['held'],
  withdraw: ['withdrawn'],
  win: ['won'],
  lose: ['lost'],
  activate: ['activated', 'active'],
  deactivate: ['deactivated', 'inactive'],
  complete: ['completed', 'complete'],
  open: ['opened', 'open'],
  reopen: ['reopened', 'open'],
};

function participles(verb: string): readonly string[] {
  const irregular = own(IRREGULAR, verb);
  if (irregular) return irregular;
  if (/[^aeiou]y$/.test(verb)) return [verb.replace(/y$/, 'ied')];
  // One short syllable doubles its last letter: `ship`, `stop`, `tag`.
  if (/^[^aeiou]*[aeiou][^aeiouwxy]$/.test(verb)) return [`${verb}${verb.at(-1)}ed`];
  return [`${verb.replace(/e$/, '')}ed`];
}

/** The past tense of a verb, such as `captured` or `marked-as-paid`. */
export function pastTense(verb: string): string {
  const [first = '', ...others] = snake(verb).split('_');
  const [past = first] = /[^e]ed$/.test(first) ? [first] : participles(first);
  return [past, ...others].join('-');
}

/** Whether a status means that an action was performed, such as `captured`, `capture_succeeded` or `authorization_voided`. */
export function isStatusAfter(verb: string, status: string): boolean {
  const [plain, done] = [snake(status), snake(verb)];
  if (/^partial(ly)?_/.test(plain)) return false;
  return (
    plain === `${done}_succeeded` ||
    participles(done).some((word) => plain === word || plain.endsWith(`_${word}`))
  );
}

/** The verb of an action on a record. For payments, `refunds`, `refund-payment` and `partial-refund` are `refund`. */
export function actionVerb(word: string, noun: string): string {
  const plain = snake(word).replace(/^(full|partial)_/, '');
  const bare = plain.endsWith(`_${noun}`) ? plain.slice(0, -noun.length - 1) : plain;
  const verb = bare.replace(/^cancell?ations?$/, 'cancel');
  return /^(capture|refund|void|cancel)s?$/.exec(verb)?.[1] ?? word;
}
