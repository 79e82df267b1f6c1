import type { Operation } from '../contract/operation.ts';
import type { Issues } from './issues.ts';
import { firstSentence, plainLine } from './plain-text.ts';
import type { DocumentLocation, References } from './references.ts';
import type { ResponseShapes } from './response-shape.ts';
import type { SchemaViews } from './schema-view.ts';
import type { Schemas } from './schemas.ts';
import type { Security } from './security.ts';

/** An operation of the document, before it is read. */
export type Declaration = {
  readonly method: Operation['method'];
  readonly path: string;
  readonly value: Readonly<Record<string, unknown>>;
  readonly location: DocumentLocation;
  /** Parameters that all operations of the path have. */
  readonly shared: { readonly value: unknown; readonly location: DocumentLocation };
};

/** What operations are read with. */
export type OperationContext = {
  readonly references: References;
  readonly schemas: Schemas;
  readonly issues: Issues;
  readonly security: Security;
  /** Lower-case name of the header that names the merchant account. */
  readonly merchantHeader: string | undefined;
  /** Of the schemas that responses and bodies have. */
  readonly views: SchemaViews;
  readonly shapes: ResponseShapes;
  /** Whether the document marks personal data. */
  readonly marksPersonalData: boolean;
};

/** The name, summary and tag of an operation, whether payctl can run it or not. */
export function labelsOf({ summary, description, tags, deprecated }: Declaration['value']) {
  const tag: unknown = Array.isArray(tags) ? tags[0] : undefined;
  return {
    summary: plainLine(summary) || firstSentence(description),
    ...(typeof tag === 'string' && { tag: plainLine(tag, 80) }),
    ...(deprecated === true && { isDeprecated: true }),
  };
}

/** Names in braces, in the order of the path. */
export function pathNames(path: string): readonly string[] {
  return [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
}
