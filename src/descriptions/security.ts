import { isTokenScheme, type Operation, type SecurityScheme } from '../contract/operation.ts';
import { isObject, own } from '../json/is-object.ts';
import { quote } from '../text/format.ts';
import { FIELD_NAME, isNeverSent, isOwnHeader } from './header-names.ts';
import type { Issues } from './issues.ts';
import { type DocumentLocation, locationBelow, type References } from './references.ts';

/** The scopes and the credentials of an operation. */
export type Access = Pick<Operation, 'scopes' | 'needsAllScopes' | 'piiScope' | 'security'>;

/** A scope of OAuth, by RFC 6749, of a length that fits a token. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

/** The scope of a token for a page of the merchant, which payctl never asks for where there is another one. */
const EMBED = 'embed';

/** One of the alternatives of `security`: its credentials, and the scopes of the token among them. */
type Alternative = { readonly schemes: readonly SecurityScheme[]; readonly scopes: readonly unknown[] };

/** Reads what `security` says, of an operation or of the whole document; every scheme is named in at most one issue. */
export class Security {
  readonly #document: Readonly<Record<string, unknown>>;
  readonly #references: References;
  readonly #issues: Issues;
  readonly #reported = new Set<string>();
  /** Whether the document describes credentials other than a token. */
  readonly #hasOthers: boolean;
  /** The requirements of operations that have none of their own. */
  readonly #usual: unknown;

  constructor(document: Readonly<Record<string, unknown>>, references: References, issues: Issues) {
    this.#document = document;
    this.#references = references;
    this.#issues = issues;
    const names = Object.keys(this.#described()).filter((name) => this.#schemesOf(name) !== undefined);
    this.#hasOthers = names.some((name) => !this.#schemesOf(name)?.some(isBearer));
    const isForgotten = this.#hasOthers && document.security === undefined && !namesSecurity(document.paths);
    if (isForgotten) {
      const message =
        'The document does not say which operations need its security schemes; payctl accepts any of them for every operation';
      issues.add(locationBelow(undefined, 'components', 'securitySchemes'), 'security_not_applied', message);
    }
    this.#usual = isForgotten ? names.map((name) => ({ [name]: [] })) : document.security;
  }

  /** What an operation needs; payctl's own extension `x-scopes` wins over the scopes of `security`. */
  accessOf(operation: Readonly<Record<string, unknown>>, location: DocumentLocation): Access {
    const pii = operation['x-pii-scope'];
    const piiScope = typeof pii === 'string' && SCOPE.test(pii) ? { piiScope: pii } : {};
    const isOwn = operation.security !== undefined;
    const above = isOwn ? locationBelow(location, 'security') : locationBelow(undefined, 'security');
    const alternatives = this.#alternatives(isOwn ? operation.security : this.#usual);
    const named = operation['x-scopes'];
    const scopes = Array.isArray(named)
      ? { scopes: this.#valid(named, locationBelow(location, 'x-scopes')) }
      : this.#scopesOf(alternatives, above);
    return { ...scopes, ...piiScope, ...this.#securityOf(alternatives) };
  }

  /** The alternatives that payctl supports. If it supports none, it sends its token, and reports that. */
  #alternatives(value: unknown): readonly Alternative[] | undefined {
    const requirements = (Array.isArray(value) ? value : []).filter(isObject);
    const usable = requirements.flatMap((requirement) => this.#alternative(requirement) ?? []);
    if (requirements.length === 0 || usable.length > 0) return usable;
    for (const requirement of requirements) for (const name of Object.keys(requirement)) this.#report(name);
    return undefined;
  }

  #alternative(requirement: Readonly<Record<string, unknown>>): Alternative | undefined {
    const schemes: SecurityScheme[] = [];
    const scopes: unknown[] = [];
    for (const [name, needed] of Object.entries(requirement)) {
      const sent = this.#schemesOf(name);
      if (!sent) return undefined;
      schemes.push(...sent);
      if (sent.some(isTokenScheme)) scopes.push(...[needed].flat());
    }
    return { schemes, scopes };
  }

  #securityOf(alternatives: readonly Alternative[] | undefined): Pick<Access, 'security'> {
    if (!alternatives || !this.#hasOthers) return {};
    const security = alternatives.map(({ schemes }) => schemes);
    if (security.every((schemes) => schemes.length === 0)) return { security: [] };
    return security.every((schemes) => schemes.every(isBearer)) ? {} : { security };
  }

  #scopesOf(
    alternatives: readonly Alternative[] = [],
    location: DocumentLocation,
  ): Pick<Access, 'scopes' | 'needsAllScopes'> {
    const withToken = alternatives.filter(
      ({ schemes }) => schemes.length === 0 || schemes.some(isTokenScheme),
    );
    if (withToken.some(({ scopes }) => scopes.length === 0)) return { scopes: [] };
    const sorted = withToken
      .map(({ scopes }) => this.#valid(scopes, location))
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
      const message = 'A scope has characters that a token cannot contain; payctl does not request it';
      this.#issues.add(location, 'scope_invalid', message);
    }
    return [...new Set(valid as string[])];
  }

  /** The credential of a security scheme: none for a client certificate, undefined for one that payctl does not support. */
  #schemesOf(scheme: string): readonly SecurityScheme[] | undefined {
    const { type, scheme: kind, in: where, name } = this.#found(scheme) ?? {};
    const http = type === 'http' ? String(kind).toLowerCase() : undefined;
    if (type === 'oauth2' || type === 'openIdConnect' || http === 'bearer')
      return [{ scheme, type: 'bearer' }];
    if (http === 'basic') return [{ scheme, type: 'basic' }];
    if (type === 'mutualTLS') return [];
    if (type !== 'apiKey' || typeof name !== 'string') return undefined;
    if (where === 'query') return PARAMETER_NAME.test(name) ? [{ scheme, type, in: where, name }] : undefined;
    if (!FIELD_NAME.test(name)) return undefined;
    if (where === 'cookie') return [{ scheme, type, in: where, name }];
    const header = name.toLowerCase();
    // A description does not say whether the header holds a token or another key.
    const isSent = header === AUTHORIZATION || !isOwnHeader(header);
    if (where !== 'header' || isNeverSent(header) || !isSent) return undefined;
    return [{ scheme, type, in: where, name: header }];
  }

  #described(): Readonly<Record<string, unknown>> {
    const { securitySchemes } = isObject(this.#document.components) ? this.#document.components : {};
    return isObject(securitySchemes) ? securitySchemes : {};
  }

  #found(name: string): Readonly<Record<string, unknown>> | undefined {
    const found = this.#references.follow(own(this.#described(), name), undefined);
    return 'value' in found && isObject(found.value) ? found.value : undefined;
  }

  #report(name: string): void {
    if (this.#reported.has(name)) return;
    this.#reported.add(name);
    const scheme = this.#found(name);
    const kind = scheme ? words(scheme) : 'is not described';
    const message = `The security scheme ${quote(name)} ${kind}; payctl sends its bearer token to operations that need it`;
    const location = locationBelow(undefined, 'components', 'securitySchemes', name);
    this.#issues.add(location, 'security_not_supported', message);
  }
}

const AUTHORIZATION = 'authorization';
const PARAMETER_NAME = /^[^\p{Cc}]{1,100}$/u;

function isBearer({ type }: SecurityScheme): boolean {
  return type === 'bearer';
}

/** Whether any operation says which credentials it needs. */
function namesSecurity(paths: unknown): boolean {
  const items = isObject(paths) ? Object.values(paths).filter(isObject) : [];
  return items.some((item) =>
    Object.values(item).some((operation) => isObject(operation) && operation.security !== undefined),
  );
}

function words({ type, scheme, in: where }: Readonly<Record<string, unknown>>): string {
  if (type === 'http') return `is HTTP ${quote(String(scheme))}`;
  if (type === 'apiKey') return `is an API key in the ${quote(String(where))}`;
  return `is of the type ${quote(String(type))}`;
}
