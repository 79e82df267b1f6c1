import { join, posix, relative } from 'node:path';
import type { CodeSplittingGroup } from 'rolldown';

/** The modules of a chunk: folders, and what belongs to it of each, files without their extension or whole folders. */
type Contents = Readonly<Record<string, string>>;

/**
 * The chunks. What one run needs together stands together: finding and opening a file costs about a millisecond each, and what a
 * run does not need must not be in its way. Where a folder and a file in it are named, the file counts. Of folders that every
 * command loads something from (`cli`, `client`, `json`, `output`, ...), each file is named. `build` are modules that the build makes.
 */
const CHUNKS: Readonly<Record<string, Contents>> = {
  // What everything needs: every start, and the client library, of which each file is in a chunk without the command line.
  base: {
    src: 'errors signals',
    'src/client': 'errors',
    'src/json': 'depth is-object scan',
    'src/schemas': 'memoize patterns within-time',
    'src/text': 'decode format shell suggest',
    build: 'builtin rolldown',
  },
  // Where an entry is in the chunk of its name, that chunk is its file.
  main: {
    '': 'package',
    src: 'main program-files',
    'src/cli': 'runtime',
    'src/cli/routing': 'help-text leading-flags load-command may-be-imported route run',
    'src/cli/routing/catalog': 'help-topics',
    'src/cli/failure': 'exit-code',
    'src/config': 'environment profile profiles profiles-document',
    'src/files': 'file-error home-directory make-directory newer-version private-files read-file rename',
    'src/output': 'open-stdout streams',
    'src/text': 'wrap',
  },
  conf: {
    build: 'conf-without-schemas',
    node_modules:
      'atomically conf debounce-fn dot-prop env-paths is-safe-filename mimic-function semver stubborn-fs ' +
      'stubborn-utils uint8array-extras when-exit',
  },
  keychain: { 'src/credentials': 'keychain keychain-errors' },
  prompts: { 'src/cli/prompt': 'readline terminal-prompter' },
  login: {
    'src/config': 'profile-writer',
    'src/credentials': 'store',
    'src/features/auth': 'login',
    'src/files': 'lock',
  },
  auth: {
    'src/cli/routing/catalog': 'allowed-commands allowed-operations',
    'src/features': 'auth',
    'src/tokens': 'lint',
  },
  suggestions: {
    'src/cli/routing': 'suggest-command',
    'src/cli/routing/catalog': 'synonyms',
  },
  'requested-help': { 'src/cli/routing/help': 'requested-help search-help tree-document' },
  // The settings of profiles are checked by the same rules as flags, here.
  'network-setup': {
    'src/cli/session': 'network-setup',
    'src/cli/flags': 'profile',
    'src/config': 'no-proxy pem-files proxy',
  },
  network: { 'src/client/network': 'certificate recover trust tunnel' },
  // The code for payctl's own filters.
  time: {
    'src/cli/flags': 'time-filter',
    'src/text': 'fold instant',
  },
  // For a table or a record on a terminal, and for messages that name times.
  'zoned-times': { 'src/text': 'zoned-times' },
  'other-description': { 'src/cli/failure': 'other-description' },
  'quick-yaml': {
    'src/descriptions': 'quick-yaml',
    node_modules: 'js-yaml',
  },
  // For what the other reader of YAML refuses.
  'yaml-reader': {
    'src/descriptions': 'yaml',
    node_modules: 'yaml',
  },
  swagger: {
    'src/descriptions': 'swagger',
    node_modules: '@scalar/helpers @scalar/openapi-upgrader',
  },
  'compare-descriptions': { 'src/descriptions': 'compare compare-schemas' },
  // Reads the index of an imported description and lists its commands; nothing that sends requests.
  described: {
    'src/cli/session': 'description-in-use open-description',
    'src/cli/routing': 'match-operation',
    'src/cli/routing/help': 'command-page page',
    'src/descriptions': 'listing read-store',
    'src/features/api': 'completed-names help-listing imported-completion imported-program',
  },
  // What a change moves; loaded for amounts with a currency, and before a change is confirmed.
  money: {
    'src/cli': 'money',
    'src/cli/session': 'confirm-profile-change confirm-write',
  },
  // Credentials other than tokens, and headers that a description does not name.
  'other-credentials': {
    'src/cli/session': 'described-probe request-credentials',
    'src/tokens': 'shared-secrets',
  },
  'typed-headers': { 'src/features/api': 'typed-headers' },
  'security-words': { 'src/descriptions': 'header-names security-words' },
  // The plans of many changes, and their application.
  bulk: {
    'src/features': 'bulk',
    'src/features/api': 'row-target',
    'src/tokens': 'statements',
  },
  // Copies of whole lists.
  export: {
    'src/contract/generated': 'item-columns',
    'src/features': 'export',
    'src/features/api': 'list-target',
    'src/json': 'top-member',
  },
  // What sends many requests: bulk and exports.
  'many-requests': {
    'src/cli/session': 'destination',
    'src/client': 'pace',
    'src/text': 'seen-hashes',
  },
  imported: {
    'src/cli/flags': 'further-flags meant-values parameters',
    'src/features/api': 'imported-command list-look operation-flags send-and-show',
  },
  // The first use of a file that a variable names: it needs the parts of Node that hash.
  'file-import': {
    'src/cli/routing': 'built-in-commands',
    'src/descriptions': 'file-import item-columns store',
  },
  // Checks the values of flags and arguments; loaded for the first value.
  'parameter-values': { 'src/cli/flags': 'parameter-values whole-id' },
  // Looks up the short IDs that a run was given.
  'short-ids': {
    'src/cli/show': 'find-in-list short-id',
    'src/features/api': 'imported-ids',
  },
  // Plain text from the texts of a description, for the import and the help.
  'plain-text': { 'src/descriptions': 'plain-text' },
  // Every kind of paging but that of cursors.
  'described-paging': { 'src/client': 'paging' },
  // What files are and their media types; the client library and the import need nothing else of the next two.
  'media-types': {
    'src/descriptions': 'byte-source',
    'src/schemas': 'file-schema',
    'src/text': 'media-type',
  },
  // Bodies that are files, or have files as parts.
  upload: {
    'src/descriptions': 'check-parts',
    'src/features/api': 'upload-body',
    'src/files': 'upload',
  },
  'imported-body': {
    'src/features/api': 'body fields',
  },
  // Encodes forms, parts and files; the client library also has it.
  form: { 'src/descriptions': 'encode-body form-body' },
  // Also for operations of the contract whose body is not checked; so without the next.
  'body-schemas': { 'src/contract/generated': 'body-schemas' },
  'check-body': {
    'src/schemas': 'check-body plain-check unions unknown-members validator',
    node_modules: '@cfworker/json-schema',
  },
  'imported-help': {
    'src/cli/routing': 'help',
    'src/features/api': 'completed-command completed-members imported-help',
  },
  // The lock that the emulator, the listener for webhooks and a list in a file need, and the database of the first two.
  'kernel-lock': { 'src/files': 'database group-commit kernel-lock' },
  'list-file': { 'src/cli/show': 'list-file' },
  'part-file': { 'src/files': 'part-file' },
  'output-file': { 'src/files': 'output-file windows-name' },
  // Responses that are not JSON; no list or document needs this; the client library does.
  receive: { 'src/client': 'receive-body' },
  download: { 'src/features/api': 'download download-target' },
  raw: {
    'src/features/api':
      'called-operation find-operation own-operations raw-command raw-path show-undescribed',
  },
  // The client library also reads descriptions, and needs nothing of the command line.
  import: {
    src: 'descriptions schemas',
    'src/client': 'described-client',
    'src/json': 'containers',
  },
  'import-command': {
    'src/features/api':
      'forget-description import-and-store known-description operation-text read-source server-advice',
  },
  completion: { 'src/features': 'completion' },
  doctor: { 'src/features': 'doctor' },
  where: { 'src/cli/show': 'where where-members' },
  tail: { 'src/cli': 'tail' },
  'log-files': {
    'src/features/api-logs': 'har log-file log-files log-input',
  },
  // Takes files of lines or arrays apart.
  split: { 'src/json': 'split-documents split-lines' },
  'log-report': { 'src/features/api-logs': 'report' },
  logs: { 'src/features': 'api-logs' },
  failure: {
    'src/cli/failure': 'advice describe diagnosis error-codes excerpt report typed-causes usage-error',
    'src/output': 'error-report',
  },
  write: {
    'src/cli': 'body-command read-body',
    'src/cli/flags': 'raw-arguments',
    'src/cli/show': 'checkout-lifetime',
  },
  get: {
    'src/cli': 'get-command',
    'src/cli/show': 'show-document',
    'src/output': 'detail document-writer',
  },
  cells: {
    'src/cli/show': 'cells columns',
    'src/output': 'amount major-units',
    'src/text': 'currency',
  },
  description: { 'src/contract/generated': 'description' },
  sort: { 'src/cli/show': 'sorted-list' },
  decimal: { 'src/json': 'decimal' },
  watch: { 'src/cli': 'watch', 'src/credentials': 'remember-keychain' },
  columns: {
    'src/cli/show': 'known-columns show-columns',
    'src/contract/generated': 'fields',
  },
  traffic: { 'src/emulator': 'traffic' },
  // Without what sends.
  'webhook-events': { 'src/webhooks': 'attempts event sends signature' },
  webhooks: { src: 'webhooks' },
  sizes: { 'src/cli/flags': 'size' },
  // What the commands for webhooks share.
  'webhook-commands': { 'src/features': 'webhooks' },
  'csv-records': { 'src/output': 'csv-records' },
  // The files of a copy.
  parts: { 'src/output': 'parts typed-column' },
  parquet: {
    'src/output/parts': 'parquet parquet-columns parquet-reader',
    node_modules: 'hyparquet hyparquet-writer',
  },
  times: { 'src/descriptions': 'column-kinds time-filters' },
  seed: { 'src/emulator': 'seed' },
  'emulator-sample': { 'src/emulator': 'sample' },
  'emulator-imported': {
    'src/descriptions': 'read-form',
    'src/emulator': 'imported',
    'src/emulator/webhooks': 'record-change',
    'src/json': 'patch',
  },
  values: { 'src/schemas': 'schema-view values', 'src/text': 'random' },
  example: {
    'src/cli/show': 'show-example',
    'src/features/api': 'example-body',
  },
  // What only changes in the emulator, and the commands about deliveries, need.
  'emulator-webhooks': { 'src/emulator': 'webhooks' },
  emulator: { src: 'emulator', 'src/cli/flags': 'emulator-directory' },
  jq: { 'src/output/formats': 'jq jq-results jq-runner' },
  'jq-engine': {
    'src/output/formats': 'jq-engine',
    node_modules: 'jq-wasm',
    build: 'packed-jq',
  },
  jose: {
    'src/tokens': 'keys public-keys sign statements verify',
    node_modules: 'jose',
  },
  yaml: { 'src/output/formats': 'yaml yaml-text' },
  pager: { 'src/output': 'pager' },
  colour: { node_modules: 'chalk' },
  table: {
    'src/output/formats': 'column-layout measure-columns table',
    node_modules:
      '@colors/colors ansi-regex cli-table3 emoji-regex is-fullwidth-code-point string-width strip-ansi',
  },
  client: {
    'src/client':
      'client clock connection-error connection-error-code deadline http-date page ' +
      'redirect resources response retry send transport',
    'src/client/generated': 'lists',
    'src/client/paging': 'cursor iterate-pages paging resource',
    'src/client/network': 'connect network-error options response-socket',
    'src/contract': 'operation personal-names secret-names',
    'src/contract/generated': 'operations',
    'src/descriptions': 'action-words body-forms complete-operation imported-operation path-words reads',
    'src/json': 'edit exact input integers is-json pointer repeated-members',
    'src/schemas': 'schema-at',
    'src/schemas/values': 'names',
    'src/text': 'amount-names',
    build: 'undici-assert undici-http undici-parts',
    node_modules: 'undici',
  },
  cli: {
    'src/cli': 'base-command list-command',
    'src/cli/secrets': 'escapes form-text mask redact redactor',
    'src/cli/session':
      'configuration connect credential-inputs emulator-description emulator-profile hooks mark-production ' +
      'network profile-record read-only session target',
    'src/cli/show':
      'columns-flag display flushed-pages list-end list-failure list-pages open-jq show-list show-parts writer-options young-heap',
    'src/cli/routing/catalog': 'operations paths probes',
    'src/cli/routing/help': 'require-format',
    'src/cli/failure': 'flag-hints incomplete-list-error not-shown-error stopped-following-error',
    'src/cli/flags': 'arguments body global list parser types',
    'src/cli/prompt': 'prompter',
    'src/config': 'base-url origin settings values',
    'src/credentials': 'bound-secret read sources',
    'src/emulator': 'data-files',
    'src/files': 'read-input',
    'src/json': 'checked-tokens known-members mask pretty',
    'src/output':
      'bound columns for-terminal format formats list-page list-writer paged-output pipe-reader progress ' +
      'sanitize terminal width',
    'src/output/formats': 'json ndjson',
    'src/tokens': 'claims provider scopes',
    build: 'command-without-stdout lazy',
    node_modules:
      '@oclif/core ansis clean-stack debug has-flag indent-string supports-color wordwrap wrap-ansi',
  },
  'audit-logs': { 'src/features': 'audit-logs' },
  // What was probably meant, where the arguments or the path fit no operation.
  'unknown-path': { 'src/features/api': 'argument-siblings unknown-path' },
};

/** What has no chunk of its own: the entries, and what one command alone imports, which is in the file of that command. */
const IN_ENTRIES: Contents = {
  src: 'commands',
  'src/features': 'buyers checkout-sessions profiles',
  'src/features/api': 'body-text',
  'src/output/formats': 'jq-worker',
};

/** In these folders, a file that is not named above is a chunk of its own: a run needs one output format. */
const FILE_BY_FILE = ['src/output/formats'];

/** Releases of a library may need other packages: those that no chunk names are in one of their own. */
const OTHER_PACKAGES: Contents = { '': 'node_modules' };

const root = join(import.meta.dirname, '..');
const places = new Map(
  Object.entries({ ...CHUNKS, packages: OTHER_PACKAGES, '': IN_ENTRIES }).flatMap(([chunk, contents]) =>
    Object.entries(contents).flatMap(([folder, names]) =>
      names.split(' ').map((name) => [posix.join(folder, name), chunk] as const),
    ),
  ),
);

/** The chunks as options of rolldown. */
export function chunkGroups(): CodeSplittingGroup[] {
  return [{ debugName: 'chunks', name: (id) => chunkOf(placeOf(id) ?? '') || null }];
}

/**
 * What is wrong with the chunks of a bundle of these modules: modules without a chunk, and names of files that are gone. Either
 * would otherwise slow down every start silently.
 */
export function chunkProblems(modules: readonly string[]): string[] {
  const used = new Set(modules.map(placeOf));
  return [
    ...modules.filter((id) => placeOf(id) === undefined).map((id) => `no chunk is named for ${pathOf(id)}`),
    ...[...places.keys()]
      .filter((place) => !used.has(place) && !place.startsWith('node_modules'))
      .map((place) => `no module is in ${place}`),
  ];
}

function chunkOf(place: string): string | undefined {
  return (
    places.get(place) ?? (FILE_BY_FILE.includes(posix.dirname(place)) ? posix.basename(place) : undefined)
  );
}

/** The longest name in the table that a module has: that of its file, or of a folder that it is in. */
function placeOf(id: string): string | undefined {
  let path = pathOf(id).replace(/\.\w+$/, '');
  if (FILE_BY_FILE.includes(posix.dirname(path))) return path;
  while (path !== '' && !places.has(path)) path = path.slice(0, Math.max(path.lastIndexOf('/'), 0));
  return path || undefined;
}

/** The path of a module from the root; of a package from the last `node_modules`; of a module that the build makes, its name. */
function pathOf(id: string): string {
  if (id.startsWith('\0')) return `build/${id.slice(1).replace(/:.*/, '')}`;
  const path = relative(root, id).replaceAll('\\', '/');
  return path.slice(Math.max(path.lastIndexOf('node_modules/'), 0));
}
