import { isObject } from '../json/is-object.ts';
import { quote } from '../text/format.ts';
import type { Issues } from './issues.ts';
import { type DocumentLocation, locationBelow, type References } from './references.ts';

/** The scopes of an operation, as `Operation` has them. */
export type Scopes = {
  readonly scopes: readonly string[];
  readonly needsAllScopes?: boolean;
  readonly piiScope?: string;
};

/** A scope of OAuth, by RFC 6749, of a length that fits a token. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

/** The scope of a token for a page of the merchant, which payctl never asks for where there is another one. */
const EMBED = 'embed';

/** Reads what `security` says, of an operation or of the whole document; every scheme is named in at most one issue. */
export class Security {
  readonly #document: Readonly<Record<string, unknown>>;
  readonly #references: References;
  readonly #issues: Issues;
  readonly #reported = new Set<string>();

  constructor(document: Readonly<Record<string, unknown>>, references: References, issues: Issues) {
    this.#document = document;
    this.#references = references;
    this.#issues = issues;
  }

  /** The scopes that an operation needs; payctl's own extension `x-scopes` wins. */
  scopesOf(operation: Readonly<Record<string, unknown>>, location: DocumentLocation): Scopes {
    const pii = operation['x-pii-scope'];
    const piiScope = typeof pii === 'string' && SCOPE.test(pii) ? { piiScope: pii } : {};
    const named = operation['x-scopes'];
    if (Array.isArray(named))
      return { scopes: this.#valid(named, locationBelow(location, 'x-scopes')), ...piiScope };
    const isOwn = operation.security !== undefined;
    const above = isOwn ? locationBelow(location, 'security') : locationBelow(undefined, 'security');
    return {
      ...this.#ofRequirements(isOwn ? operation.security : this.#document.security, above),
      ...piiScope,
    };
  }

  #ofRequirements(value: unknown, location: DocumentLocation): Scopes {
    const requirements = (Array.isArray(value) ? value : []).filter(isObject);
    const usable = requirements.filter((requirement) =>
      Object.keys(requirement).every((name) => this.#isBearer(name)),
    );
    if (requirements.length > 0 && usable.length === 0) {
      for (const requirement of requirements) for (const name of Object.keys(requirement)) this.#report(name);
    }
    const alternatives = usable.map((requirement) => Object.values(requirement).flat());
    if (alternatives.some((scopes) => scopes.length === 0)) return { scopes: [] };
    const sorted = alternatives
      .map((scopes) => this.#valid(scopes, location))
      .toSorted((a, b) => Number(a.includes(EMBED)) - Number(b.includes(EMBED)) || a.length - b.length);
    const [first = []] = sorted;
    const isPair = first.length > 1 && first.includes(EMBED);
    if (isPair) return { scopes: first.toSorted((a, b) => Number(a === EMBED) - Number(b === EMBED)) };
    if (first.length > 1) return { scopes: first, needsAllScopes: true };
    return { scopes: [...new Set(sorted.filter((scopes) => scopes.length === 1).flat())] };
  }

  #valid(scopes: readonly unknown[], location: DocumentLocation): readonly string[] {
    const valid = scopes.filter((scope) => typeof scope === 'string' && SCOPE.test(scope));
    if (valid.length < scopes.length) {
      this.#issues.add(location, {
        code: 'scope_invalid',
        message: 'A scope has characters that a token cannot contain; payctl does not request it',
      });
    }
    return [...new Set(valid as string[])];
  }

  /** Whether a scheme is one that payctl's token fits. */
  #isBearer(name: string): boolean {
    const scheme = this.#scheme(name);
    const { type, scheme: kind, in: where, name: header } = scheme ?? {};
    if (type === 'apiKey') return where === 'header' && String(header).toLowerCase() === 'authorization';
    return (
      type === 'oauth2' ||
      type === 'openIdConnect' ||
      (type === 'http' && String(kind).toLowerCase() === 'bearer')
    );
  }

  #scheme(name: string): Readonly<Record<string, unknown>> | undefined {
    const { securitySchemes } = isObject(this.#document.components) ? this.#document.components : {};
    if (!isObject(securitySchemes) || !Object.hasOwn(securitySchemes, name)) return undefined;
    const found = this.#references.follow(securitySchemes[name], undefined);
    return 'value' in found && isObject(found.value) ? found.value : undefined;
  }

  #report(name: string): void {
    if (this.#reported.has(name)) return;
    this.#reported.add(name);
    const scheme = this.#scheme(name);
    const kind = scheme ? words(scheme) : 'is not described';
    const message = `The security scheme ${quote(name)} ${kind}; payctl sends its bearer token to operations that need it`;
    this.#issues.add(locationBelow(undefined, 'components', 'securitySchemes', name), {
      code: 'security_not_supported',
      message,
    });
  }
}

function words({ type, scheme, in: where }: Readonly<Record<string, unknown>>): string {
  if (type === 'http') return `is HTTP ${quote(String(scheme))}`;
  if (type === 'apiKey') return `is an API key in the ${quote(String(where))}`;
  return `is of the type ${quote(String(type))}`;
}
