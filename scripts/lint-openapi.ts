import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { BaseResolver, createConfig, lintFromString, type NormalizedProblem } from '@redocly/openapi-core';

const SOURCE = fileURLToPath(new URL('../openapi/openapi.yaml', import.meta.url));

/** Refuses every address, so that a remote `$ref` is reported instead of fetched. */
class OfflineResolver extends BaseResolver {
  override async loadExternalRef(reference: string): Promise<never> {
    throw new Error(`the API description must not refer to other files, but it refers to ${reference}`);
  }
}

function described(problem: NormalizedProblem): string {
  const location = problem.location[0];
  return `${problem.severity} ${location?.pointer ?? '#/'} ${problem.message} (${problem.ruleId})`;
}

/** Lints the text of a description with Redocly's recommended rules; each problem is one line. Reads no network. */
export async function lintOpenapi(yaml: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({
    source: yaml,
    absoluteRef: SOURCE,
    config,
    externalRefResolver: new OfflineResolver(),
  });
  return problems.map(described);
}

async function main(): Promise<void> {
  const problems = await lintOpenapi(readFileSync(SOURCE, 'utf8'));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.main) await main();
