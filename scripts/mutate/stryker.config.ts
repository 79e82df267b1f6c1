/** The options of every run; ./run.ts adds what to mutate and with which tests. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './scripts/mutate/sentences.ts'],
  ignorers: ['sentences'],
  // Threads, its default, would be quicker, but tests may change the working directory and the umask.
  // `related`, another default, overlooks tests that reach a source by import() alone.
  vitest: { configFile: 'scripts/mutate/vitest.config.ts', pool: 'forks', related: false },
  concurrency: 2,
  timeoutMS: 8_000,
  // Reading tsconfig.json takes the compiler API, which TypeScript 7 has not; nor is there a type checker to appease.
  ignorePatterns: ['/tsconfig.json', '/dist', '/.mutation'],
  disableTypeChecks: false,
  tempDirName: '.mutation/sandbox',
  cleanTempDir: 'always',
  clearTextReporter: { logTests: false, reportTests: false, skipFull: true },
  logLevel: 'warn',
};
