import { isPersonalName } from '../../contract/personal-names.ts';
import { isSecretName, MASK } from '../../contract/secret-names.ts';
import { JsonMasker, type Masked, type MaskedPage, type MemberMarks } from '../../json/mask.ts';
import type { RevealFlagValues } from '../flags/list.ts';
import type { Display } from '../show/display.ts';

/** What data may be shown. */
export type MaskOptions = {
  readonly revealSecrets?: boolean | undefined;
  /** The personal data of the document; none where it is to be shown. */
  readonly personalData?: MemberMarks | undefined;
  /** What is personal by the name of its member is masked, too. */
  readonly personalByName?: boolean | undefined;
};

/**
 * Masks what data must not show: the values of members whose names indicate a secret, at any depth and of any type, and
 * personal data. Everything else stays exactly as the service wrote it.
 */
export function maskData(text: string, options: MaskOptions): Masked {
  return maskerFor(options).mask(text);
}

function maskerFor({ revealSecrets = false, personalData, personalByName = false }: MaskOptions): JsonMasker {
  return new JsonMasker({
    mask: MASK,
    marks: personalData,
    marksName: personalByName ? isPersonalName : undefined,
    hides: revealSecrets ? undefined : isSecretName,
  });
}

/** Masks the documents of one run. */
export type DataMasker = {
  /** The text with everything masked that the flags do not reveal. */
  mask(text: string): string;
  /** The same for a page, which is checked and taken apart on the way. Undefined for text that is not a page. */
  page(text: string): MaskedPage | undefined;
  /**
   * Warns on stderr where personal data was masked that would have been shown. To be called once, after the data; `leftOut` are
   * those of the paths that were not shown after all.
   */
  report(leftOut?: readonly string[]): void;
};

/**
 * Makes the masking of one run, from its flags and the personal data of its operation. `paths` are the only fields that are
 * shown, from the top of the document; undefined where all are.
 */
export function createDataMasker(
  display: Pick<Display, 'warn'>,
  flags: RevealFlagValues,
  shown: Omit<MaskOptions, 'revealSecrets'> & { readonly paths?: readonly string[] | undefined },
): DataMasker {
  const personalData = flags['reveal-pii'] ? undefined : shown.personalData;
  const personalByName = shown.personalByName && !flags['reveal-pii'];
  const isPersonal = (path: string) =>
    isMarked(personalData, path) || (personalByName && path.split('.').some(isPersonalName));
  const masker = maskerFor({ revealSecrets: flags['reveal-secrets'], personalData, personalByName });
  let marked = 0;
  return {
    mask(text) {
      const masked = masker.mask(text);
      marked += masked.marked;
      return masked.text;
    },
    page(text) {
      const page = masker.page(text);
      marked += page?.marked ?? 0;
      return page;
    },
    report(leftOut = []) {
      const seen = shown.paths?.filter((path) => !leftOut.includes(path));
      const isSeen = !seen || seen.some(isPersonal);
      if (marked === 0 || !isSeen) return;
      display.warn('personal_data_masked', 'Personal data is masked. Add --reveal-pii to show it.');
    },
  };
}

/** Whether a dotted path leads to a marked value, or to one that holds some. */
function isMarked(marks: MemberMarks | undefined, path: string): boolean {
  let mark: MemberMarks | boolean | undefined = marks;
  for (const name of path.split('.')) {
    if (typeof mark !== 'object') break;
    // An element of an array is marked as the array is.
    if (Object.hasOwn(mark, name)) mark = mark[name];
    else if (!/^\d+$/.test(name)) mark = mark['*'];
  }
  return mark !== undefined && mark !== false;
}
