import type { Security, SecurityScheme } from '../contract/operation.ts';

/** All alternatives in words: `an API key (header x-api-key) and a token, or a user name and password (HTTP Basic)`. */
export function describeSecurity(security: Security): string {
  const texts = security.map((schemes) => schemes.map(describeScheme).join(' and ') || 'no credentials');
  return [...new Set(texts)].join(', or ') || 'no credentials';
}

const PLACES = { header: 'header', query: 'query parameter', cookie: 'cookie' } as const;

function describeScheme(scheme: SecurityScheme): string {
  if (scheme.type === 'apiKey') return `an API key (${PLACES[scheme.in]} ${scheme.name})`;
  return scheme.type === 'bearer' ? 'a token' : 'a user name and password (HTTP Basic)';
}
