import type { CodeSplittingGroup } from 'rolldown';

/** A chunk and what goes into it; each pattern has to match at least one module, or it has lost what it was written for. */
type Chunk = readonly [name: string, contents: readonly RegExp[]];

/**
 * The chunks, first match wins. What one run needs together stands together: finding and opening a file costs about a
 * millisecond each, and what a run does not need must not be in its way.
 */
const CHUNKS: readonly Chunk[] = [
  [
    'start',
    [
      /builtin:(names:)?node:/,
      /src\/(client\/)?errors\.ts/,
      /src\/(signals|program-files)\.ts/,
      /src\/json\/(depth|is-object)\.ts/,
      /src\/cli\/(run|route|load-command|leading-flags|runtime|help-text|may-be-described|catalog\/help-topics|failure\/exit-code)\.ts/,
      /src\/text\/(?!currency|fold|instant|media-type)/,
      /src\/files\/(private-files|file-error|home-directory|make-directory|read-file)\.ts/,
      /src\/config\/(environment|profiles?(-document)?)\.ts/,
      /src\/output\/(streams|open-stdout)\.ts/,
    ],
  ],
  [
    'validation',
    [
      /src\/contract\/(validate-body|unknown-members)\.ts/,
      /src\/contract\/generated\/(validators|body-fields)\.ts/,
    ],
  ],
  [
    'conf',
    [
      /conf-without-schemas/,
      /node_modules\/conf\//,
      /node_modules\/(env-paths|is-safe-filename)\//,
      /node_modules\/(atomically|stubborn-\w+|when-exit|dot-prop|debounce-fn|mimic-function)\//,
      /node_modules\/(semver|uint8array-extras)\//,
    ],
  ],
  ['keychain', [/src\/credentials\/keychain(-errors)?\.ts/]],
  ['prompts', [/src\/cli\/prompt\/(readline|terminal-prompter)\.ts/]],
  [
    'login',
    [
      /src\/features\/auth\/login\//,
      /src\/config\/profile-writer\.ts/,
      /src\/files\/lock\.ts/,
      /src\/credentials\/store\.ts/,
    ],
  ],
  [
    'auth',
    [
      /src\/features\/auth\//,
      /src\/tokens\/lint\.ts/,
      /src\/cli\/catalog\/allowed-(commands|operations)\.ts/,
    ],
  ],
  ['suggestions', [/src\/cli\/(suggest-command|catalog\/synonyms)\.ts/]],
  [
    'network',
    [
      /src\/client\/network\/(certificate|recover|trust|tunnel)\.ts/,
      // The settings of profiles are checked by the same rules.
      /src\/cli\/(network-setup|flags\/profile)\.ts/,
      /src\/config\/(no-proxy|pem-files|proxy)\.ts/,
    ],
  ],
  // The code for payctl's own filters.
  ['time', [/src\/cli\/time-filter\.ts/, /src\/text\/(fold|instant)\.ts/]],
  ['other-description', [/src\/cli\/failure\/other-description\.ts/]],
  ['yaml-reader', [/src\/descriptions\/yaml\.ts/, /node_modules\/yaml\//]],
  ['compare-descriptions', [/src\/descriptions\/(compare|compare-schemas)\.ts/]],
  // Reads the index of an imported description and lists its commands; nothing that sends requests.
  [
    'described',
    [
      /src\/descriptions\/(read-store|listing|complete-operation)\.ts/,
      /src\/cli\/(description-in-use|open-description)\.ts/,
      /src\/cli\/help\/(page|command-page)\.ts/,
      /src\/features\/api\/(imported-program|imported-completion|completed-names|help-listing)\.ts/,
    ],
  ],
  [
    'imported',
    [
      /src\/cli\/(further-flags|flags\/parameters)\.ts/,
      /src\/features\/api\/(imported-command|send-and-show|list-look|operation-flags)\.ts/,
    ],
  ],
  // The first use of a file that a variable names: it needs the parts of Node that hash.
  ['file-import', [/src\/descriptions\/file-import\.ts/, /src\/cli\/built-in-commands\.ts/]],
  // Checks the values of flags and arguments; loaded for the first value.
  ['parameter-values', [/src\/cli\/flags\/parameter-values\.ts/, /src\/descriptions\/within-time\.ts/]],
  // Plain text from the texts of a description, for the import and the help.
  ['plain-text', [/src\/descriptions\/plain-text\.ts/]],
  ['envelope', [/src\/client\/(envelope|links|link-header|counted-pages|counted-run|page-facts)\.ts/]],
  // What files are and their media types; the client library and the import need nothing else of the next two.
  ['media-types', [/src\/text\/media-type\.ts/, /src\/descriptions\/(byte-source|file-schema)\.ts/]],
  // Bodies that are files, or have files as parts.
  [
    'upload',
    [/src\/features\/api\/upload-body\.ts/, /src\/files\/upload\.ts/, /src\/descriptions\/check-parts\.ts/],
  ],
  ['imported-body', [/src\/descriptions\/schema-at\.ts/, /src\/features\/api\/(body|fields)\.ts/]],
  // Encodes forms, parts and files; the client library also has it.
  ['form', [/src\/descriptions\/(form-body|encode-body|multipart)\.ts/]],
  ['check-body', [/src\/descriptions\/(check-body|unions)\.ts/, /node_modules\/@cfworker\//]],
  [
    'imported-help',
    [/src\/cli\/help\//, /src\/features\/api\/(imported-help|completed-command|completed-members)\.ts/],
  ],
  // Responses that are not JSON; no list or document needs this; the client library does.
  ['receive', [/src\/client\/receive-body\.ts/]],
  ['download', [/src\/features\/api\/download/, /src\/files\/output-file\.ts/]],
  ['raw', [/src\/features\/api\/(raw-|own-operations|show-undescribed|called-operation|find-operation)/]],
  // The client library also reads descriptions, and needs nothing of the command line.
  ['import', [/src\/descriptions\//, /src\/client\/described-client\.ts/]],
  [
    'import-command',
    [
      /src\/features\/api\/(import-and-store|server-advice|forget-description|read-source|known-description|operation-text)\.ts/,
    ],
  ],
  ['completion', [/src\/features\/completion\//]],
  ['doctor', [/src\/features\/doctor\//]],
  ['where', [/src\/cli\/where(-members)?\.ts/]],
  ['tail', [/src\/cli\/tail\//]],
  ['log-files', [/src\/features\/api-logs\/(log-files|log-pieces|split-\w+)\.ts/]],
  ['log-report', [/src\/features\/api-logs\/report\//]],
  ['logs', [/src\/features\/api-logs\//]],
  [
    'failure',
    [
      /src\/cli\/failure\/(advice|describe|error-codes|typed-causes|excerpt|report|usage-error)\.ts/,
      /src\/output\/error-report\.ts/,
    ],
  ],
  [
    'write',
    [/src\/cli\/(body-command|read-body|raw-arguments|checkout-lifetime)\.ts/, /src\/json\/input\.ts/],
  ],
  [
    'get',
    [/src\/cli\/(get-command|show-document|find-in-list)\.ts/, /src\/output\/(detail|document-writer)\.ts/],
  ],
  ['cells', [/src\/cli\/(cells\.ts|columns\/)/, /src\/output\/amount\.ts/, /src\/text\/currency\.ts/]],
  ['csv', [/src\/output\/formats\/csv\.ts/]],
  ['description', [/src\/contract\/generated\/description\.json/]],
  ['columns', [/src\/cli\/(known|show)-columns\.ts/, /src\/contract\/generated\/fields\.ts/]],
  ['traffic', [/src\/emulator\/traffic\//]],
  ['seed', [/src\/emulator\/seed\//]],
  ['emulator-sample', [/src\/emulator\/sample\.json/]],
  ['emulator-described', [/src\/emulator\/described\//]],
  ['emulator', [/src\/emulator\/(?!data-files\.ts)/]],
  ['jq', [/src\/output\/formats\/(jq|jq-results|jq-runner)\.ts/]],
  ['jq-worker', [/src\/output\/formats\/jq-worker\.ts/]],
  ['jq-engine', [/src\/output\/formats\/jq-engine\.ts/, /node_modules\/jq-wasm\//]],
  ['jose', [/src\/tokens\/(keys|sign|verify)\.ts/, /node_modules\/jose\//]],
  ['yaml', [/src\/output\/formats\/yaml(-text)?\.ts/]],
  ['pager', [/src\/output\/pager\.ts/]],
  ['colour', [/node_modules\/chalk\//]],
  [
    'table',
    [
      /src\/output\/formats\/(table|column-layout|measure-columns)\.ts/,
      /node_modules\/(cli-table3|@colors\/colors|string-width|strip-ansi|ansi-regex|emoji-regex|is-fullwidth-code-point)\//,
    ],
  ],
  [
    'client',
    [
      /src\/client\//,
      /src\/tokens\//,
      /src\/cli\/(connect|confirm-write|target|hooks|emulator-profile|credential-inputs|network)\.ts/,
      /src\/emulator\/data-files\.ts/,
      /undici-(parts|assert|http)/,
      /node_modules\/undici\//,
    ],
  ],
  ['cli', [/src\/(cli|config|contract|credentials|files|json|output)\//, /node_modules\//]],
];

/** The chunks as options of rolldown. */
export function chunkGroups(): CodeSplittingGroup[] {
  return CHUNKS.map(([name], index) => ({
    name,
    test: (id: string) => placeOf(id)?.name === name,
    priority: CHUNKS.length - index,
  }));
}

/**
 * The patterns that put no module of the bundle into their chunk, as `chunk: pattern`. A file that was renamed would
 * otherwise fall into another chunk, and start-up would load it, without a word.
 */
export function unusedPatterns(modules: readonly string[]): string[] {
  const used = new Set(modules.map((id) => placeOf(id)?.pattern));
  return CHUNKS.flatMap(([name, patterns]) =>
    patterns.filter((pattern) => !used.has(pattern)).map((pattern) => `${name}: ${pattern}`),
  );
}

function placeOf(id: string): { name: string; pattern: RegExp } | undefined {
  const path = id.replaceAll('\\', '/');
  for (const [name, patterns] of CHUNKS) {
    const pattern = patterns.find((candidate) => candidate.test(path));
    if (pattern) return { name, pattern };
  }
  return undefined;
}
