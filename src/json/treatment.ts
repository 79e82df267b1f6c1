/** How a marked scalar is treated: payctl masks it, the service has masked it, or it reveals nothing. */
type Treatment = 'masked' | 'masked by the service' | 'empty';

/** The treatment of the marked scalar between two indexes of a text. Null and the empty string reveal nothing. */
export function treatmentOf(text: string, start: number, end: number): Treatment {
  if (text.charCodeAt(start) !== 0x22) return isNull(text, start, end) ? 'empty' : 'masked';
  if (end - start <= 2) return 'empty';
  let at = start + 1;
  while (isMaskCharacter(text.charCodeAt(at))) at += 1;
  return at === end - 1 ? 'masked by the service' : 'masked';
}

/** Whether the value between two indexes is null. In text that is not JSON, another word may begin with the same letters. */
export function isNull(text: string, start: number, end: number): boolean {
  return end - start === 4 && text.startsWith('null', start);
}

/** Services mask with the asterisk or the bullet. */
function isMaskCharacter(code: number): boolean {
  return code === 0x2a || code === 0x2022;
}
