import { upgradeFromTwoToThree } from '@scalar/openapi-upgrader/2.0-to-3.0';

/** Turns a Swagger 2.0 document, which it changes, into the OpenAPI 3.0 document that says the same. @throws Error if it is malformed */
export function readSwagger(document: Record<string, unknown>): Readonly<Record<string, unknown>> {
  return upgradeFromTwoToThree(document) as unknown as Readonly<Record<string, unknown>>;
}
