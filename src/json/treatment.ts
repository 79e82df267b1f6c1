/** How a scalar of a document is treated. */
export type Treatment = 'kept' | 'masked' | 'hidden' | 'masked by the service' | 'empty';

/** Whether something else is shown in its place. */
export function isReplaced(treatment: Treatment): boolean {
  return treatment === 'masked' || treatment === 'hidden';
}

/** Whether it is personal data that is not shown, by whomever it was masked. */
export function isMarked(treatment: Treatment): boolean {
  return treatment === 'masked' || treatment === 'masked by the service';
}

/** How the marked scalar between two indexes of a text is treated. Null and the empty string tell nothing. */
export function treatmentOf(text: string, start: number, end: number): Treatment {
  if (text.charCodeAt(start) !== 0x22) return text.startsWith('null', start) ? 'empty' : 'masked';
  if (end - start <= 2) return 'empty';
  let at = start + 1;
  while (isMaskCharacter(text.charCodeAt(at))) at += 1;
  return at === end - 1 ? 'masked by the service' : 'masked';
}

/** The asterisk and the bullet, which services mask with. */
function isMaskCharacter(code: number): boolean {
  return code === 0x2a || code === 0x2022;
}
