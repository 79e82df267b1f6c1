import { isPersonalName } from '../../contract/personal-names.ts';
import { isSecretName, isSecretValue, MASK } from '../../contract/secret-names.ts';
import { JsonMasker, type Masked, type MaskRules, type MemberMarks, maskJson } from '../../json/mask.ts';
import type { RevealFlagValues } from '../flags/list.ts';
import type { Display } from '../show/display.ts';
import { maskCredentials, maskUser } from './redact.ts';

/** What data may be shown. */
export type MaskOptions = {
  readonly revealSecrets?: boolean | undefined;
  /** The personal data of the document; none where it is to be shown. */
  readonly personalData?: MemberMarks | undefined;
  /** The secrets of the document that names do not tell. */
  readonly secretData?: MemberMarks | undefined;
  /** What is personal by the name of its member is masked, too. */
  readonly personalByName?: boolean | undefined;
  /** Names of members of items whose values are wanted by themselves. */
  readonly noted?: readonly string[] | undefined;
};

/**
 * Masks what data must not show: the values of members whose names indicate a secret, at any depth and of any type, texts that
 * begin as secrets do, and personal data. Everything else stays exactly as the service wrote it.
 */
export function maskData(text: string, options: MaskOptions): Masked {
  return maskJson(text, rulesOf(options));
}

/** What addresses are shown without. That of a logged request was used already; a link with a token in its query has to work. */
const REWRITES = [
  [/^request_url$/, maskCredentials],
  [/ur[il]$/i, maskUser],
] as const;

function rulesOf(options: MaskOptions): MaskRules {
  const { revealSecrets, personalData, secretData, personalByName = false, noted } = options;
  return {
    mask: MASK,
    marks: personalData,
    noted,
    marksName: personalByName ? isPersonalName : undefined,
    ...(!revealSecrets && {
      ...{ hides: isSecretName, hidden: secretData, hidesText: isSecretValue },
      rewrites: REWRITES,
    }),
  };
}

/** What the documents of one run may show; `paths` are the only fields that are shown, by default all. */
type ShownData = Omit<MaskOptions, 'revealSecrets'> & { readonly paths?: readonly string[] | undefined };

/** Masks everything in the documents and pages of one run that its flags do not reveal. */
export class DataMasker extends JsonMasker {
  readonly #display: Pick<Display, 'warn'>;
  readonly #shown: ShownData;

  /** `shown` has the personal data of the operation, and its paths begin at the top of the document. */
  constructor(display: Pick<Display, 'warn'>, flags: RevealFlagValues, shown: ShownData) {
    const { personalData, personalByName }: ShownData = flags['reveal-pii'] ? {} : shown;
    const { secretData, noted } = shown;
    const revealSecrets = flags['reveal-secrets'];
    super(rulesOf({ revealSecrets, personalData, secretData, personalByName, noted }));
    this.#display = display;
    this.#shown = { personalData, personalByName, paths: shown.paths };
  }

  /**
   * Warns on stderr where personal data was masked that would have been shown. To be called once, after the data; `leftOut` are
   * those of the paths that were not shown after all.
   */
  report(leftOut: readonly string[] = []): void {
    const seen = this.#shown.paths?.filter((path) => !leftOut.includes(path));
    const isSeen = !seen || seen.some((path) => this.#isPersonal(path));
    if (this.marked === 0 || !isSeen) return;
    this.#display.warn('personal_data_masked', 'Personal data is masked. Add --reveal-pii to show it.');
  }

  #isPersonal(path: string): boolean {
    const { personalData, personalByName } = this.#shown;
    return isMarked(personalData, path) || (personalByName === true && path.split('.').some(isPersonalName));
  }
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
