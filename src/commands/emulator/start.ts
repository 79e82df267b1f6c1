import { boolean, custom } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { EXIT } from '../../cli/failure/exit-code.ts';
import { dataDirectory, stopCommand } from '../../cli/flags/emulator-directory.ts';
import { FlagError, integerFlag, repeatable, textFlag } from '../../cli/flags/types.ts';
import { readJson } from '../../cli/read-body.ts';
import {
  countOperations,
  type EmulatorDescription,
  findEmulatorDescription,
} from '../../cli/session/emulator-description.ts';
import type { Display } from '../../cli/show/display.ts';
import { MERCHANT_HEADER } from '../../contract/generated/operations.ts';
import { isSeedDay, SEED_DAYS } from '../../emulator/clock.ts';
import { filesOf } from '../../emulator/data-files.ts';
import { readFaultPlan } from '../../emulator/faults/plan.ts';
import type { DescriptionChange } from '../../emulator/keep-description.ts';
import { readListNumbers } from '../../emulator/list-numbers.ts';
import type { RequestLine } from '../../emulator/request-listener.ts';
import { openRequestLog } from '../../emulator/request-log.ts';
import { descriptionServed } from '../../emulator/served-description.ts';
import { type EmulatorOptions, startEmulator } from '../../emulator/server.ts';
import { claimServing, type Serving } from '../../emulator/serving.ts';
import { DataDiffersError } from '../../emulator/store/prepare.ts';
import type { TrafficPlan } from '../../emulator/traffic/plan.ts';
import type { AttemptedEvent } from '../../emulator/webhooks/deliver.ts';
import { parseSubscribed, type Subscribed } from '../../emulator/webhooks/subscribe.ts';
import { UsageError } from '../../errors.ts';
import { headerPrefixFlag } from '../../features/webhooks/scheme-flags.ts';
import { copyForValidation } from '../../json/exact.ts';
import { receivedSignal, SIGNAL_EXIT_CODES, whenAborted } from '../../signals.ts';
import { formatDuration, quote } from '../../text/format.ts';

const dayFlag = custom<string>({
  parse: async (input, _context, { name }) => {
    if (isSeedDay(input)) return input;
    throw new FlagError(`--${name} must be a date, not ${quote(input)}`, SEED_DAYS);
  },
});

const MOST_RECORDS = 10_000_000;

const recordsFlag = custom<Readonly<Record<string, number>>>({
  parse: async (input, _context, { name }) => {
    const numbers = readListNumbers(input);
    const isAllowed = (count: number) => Number.isInteger(count) && count >= 1 && count <= MOST_RECORDS;
    if (numbers && Object.values(numbers).every(isAllowed)) return numbers;
    throw new FlagError(
      `--${name} must be LIST=N with a whole number from 1 to ${MOST_RECORDS}, not ${quote(input)}`,
      `For example: --${name} transactions=1000`,
    );
  },
});

const factorFlag = custom<number>({
  parse: async (input, _context, { name }) => {
    const factor = /^(\d+\.?\d*|\.\d+)$/.test(input) ? Number(input) : 0;
    if (factor > 0 && factor <= LARGEST_FACTOR) return factor;
    throw new FlagError(
      `--${name} must be a number above 0, up to ${LARGEST_FACTOR}, not ${quote(input)}`,
      `For example: --${name} 0.01`,
    );
  },
});

const LARGEST_FACTOR = 100;

export default class EmulatorStart extends BaseCommand {
  static override readonly summary = 'Serve the emulator on the loopback interface until it is stopped.';

  static override readonly description =
    `Data is kept between runs; a different --seed, --buyers or --until replaces it, after a confirmation. While the emulator is running,
other payctl commands use it with --profile emulator. Its base URL is printed to stdout for other programs. Stop it with Ctrl-C,
or from another terminal with payctl emulator stop.`;

  static override readonly flags = {
    port: integerFlag({
      min: 0,
      max: 65_535,
      summary: 'Port to listen on. Default: any free port.',
      helpValue: 'N',
    }),
    seed: integerFlag({
      min: 0,
      max: 4_294_967_295,
      summary: 'Seed for the generated records.',
      helpValue: 'N',
    }),
    faults: textFlag({
      summary: 'JSON file with a fault injection plan; see docs/emulator.md.',
      helpValue: 'FILE',
    }),
    'request-log': textFlag({
      summary: 'Append each request to this file, as a line of JSON with the time it arrived.',
      helpValue: 'FILE',
    }),
    description: textFlag({
      summary: 'Also serve the operations of this OpenAPI description (JSON or YAML).',
      helpValue: 'FILE',
    }),
    records: recordsFlag({
      summary: 'Generate this many records for a list of the description.',
      helpValue: 'LIST=N',
    }),
    traffic: textFlag({
      summary:
        'Add failing requests to the API logs, or change records of a list: a number per second, or a JSON plan.',
      helpValue: 'RATE|LIST=RATE|FILE',
    }),
    buyers: integerFlag({
      min: 0,
      max: 10_000_000,
      summary: 'Number of buyers to generate.',
      helpValue: 'N',
    }),
    until: dayFlag({
      summary: 'Last day of the generated records. Default: today; before 09:00 UTC, yesterday.',
      helpValue: 'DATE',
    }),
    subscribe: textFlag({
      summary: 'Deliver signed events to this loopback URL; can be repeated.',
      helpValue: 'URL[=@FILE|=SECRET]',
      ...repeatable,
    }),
    'webhook-retry-factor': factorFlag({
      summary: 'Multiply the waits between deliveries, such as by 0.01.',
      helpValue: 'N',
    }),
    ...headerPrefixFlag(),
    directory: textFlag({
      summary: 'Keep the data in this directory; --profile emulator does not use it.',
      helpValue: 'DIR',
    }),
    yes: boolean({ char: 'y', summary: 'Do not ask before replacing data.' }),
  };

  static override readonly examples = [
    { description: 'Serve the default data on a free port:', command: 'payctl emulator start' },
    {
      description: 'Make five requests per second fail, to follow with payctl api-logs tail:',
      command: 'payctl emulator start --traffic 5',
    },
    {
      description: 'Also serve the operations of an API description:',
      command: 'payctl emulator start --description openapi.json',
    },
    {
      description: 'Deliver the events of changes to a program of your own:',
      command: 'payctl emulator start --subscribe http://127.0.0.1:3000/hooks=@secret',
    },
    {
      description: 'Serve 100,000 buyers on a fixed port:',
      command: 'payctl emulator start --port 4010 --buyers 100000',
    },
  ];

  async run(): Promise<number> {
    const { flags } = await this.parse(EmulatorStart);
    const display = this.openDisplay(flags);
    const faults =
      flags.faults === undefined
        ? undefined
        : readFaultPlan(copyForValidation(await readJson(`@${flags.faults}`, '--faults', this.runtime)));
    const traffic = await this.readTraffic(flags.traffic);
    const subscribe = await Promise.all(
      (flags.subscribe ?? []).map((given) => this.readSubscribed(given, display)),
    );
    for (const { secret } of subscribe) display.addSecret(secret ?? '');
    const log = flags['request-log'] === undefined ? undefined : openRequestLog(flags['request-log']);
    const { environment, signal } = this.runtime;
    const { profiles } = this.configuration.profiles;
    const described = { path: flags.description, environment, profiles, signal };
    const description = await findEmulatorDescription(described);
    const settings = this.configuration.resolveForDisplay(flags);
    const header = settings.merchantHeader.value;
    const directory = dataDirectory(flags, environment);
    const serving = claimServing(directory, stopCommand(flags));
    const start = (replace: boolean) =>
      serve(serving, display, {
        directory,
        replace,
        port: flags.port,
        seed: flags.seed,
        buyers: flags.buyers,
        until: flags.until,
        untilIfNew: environment.emulatorUntil,
        merchantHeader: header === MERCHANT_HEADER ? (description.merchantHeader ?? header) : header,
        description: description.folder,
        described: description,
        faults,
        records: flags.records,
        traffic,
        deliveries: {
          subscribe,
          retryFactor: flags['webhook-retry-factor'],
          headerPrefix: settings.webhookHeaderPrefix.value,
          onAttempt: (attempted) => display.info(attemptLine(attempted)),
          onError: (error) => display.warn('delivery_not_recorded', messageOf(error)),
        },
        log,
        signal,
        isForProfile: flags.directory === undefined,
      });
    try {
      await start(flags.yes).catch(async (error: unknown) => {
        if (!(error instanceof DataDiffersError)) throw error;
        const question = `Replace the emulator's data in ${directory} (records: ${error.records})?`;
        const prompter = await this.runtime.prompter();
        if (!prompter) throw error;
        if (!(await prompter.confirm(question))) throw notReplaced();
        await start(true);
      });
    } finally {
      serving.release();
    }
    // To be stopped is what it waits for; a terminal that hangs up is not.
    return receivedSignal(signal) === 'SIGHUP' ? SIGNAL_EXIT_CODES.SIGHUP : EXIT.done;
  }

  /** Reads the file of a secret, if there is one. */
  private async readSubscribed(given: string, display: Display): Promise<Subscribed> {
    const { url, secret, file } = parseSubscribed(given);
    if (file === undefined) return { url, secret };
    const { openFileWarning, readSecretFile } = await import('../../credentials/read.ts');
    try {
      const { text, openMode } = await readSecretFile(file, this.runtime.signal);
      if (openMode) {
        const warning = openFileWarning('The secret file of --subscribe', file, openMode);
        display.warn('secret_file_open', warning);
      }
      if (text.trim() === '') throw new FlagError(`The secret file of --subscribe is empty: ${quote(file)}`);
      return { url, secret: text.trim() };
    } catch (error) {
      const { unreadableInput } = await import('../../files/read-input.ts');
      throw unreadableInput(`--subscribe cannot read the file ${quote(file)}`, error);
    }
  }

  private async readTraffic(given: string | undefined): Promise<TrafficPlan | undefined> {
    if (given === undefined) return undefined;
    const { planOfRate, readTrafficPlan } = await import('../../emulator/traffic/plan.ts');
    const plan = planOfRate(given);
    return plan ?? readTrafficPlan(copyForValidation(await readJson(`@${given}`, '--traffic', this.runtime)));
  }
}

function notReplaced(): UsageError {
  return new UsageError('not_confirmed', 'Nothing was changed', {
    hint: 'To keep the data, leave out --seed, --buyers and --until.',
  });
}

/** Serves until the signal of the options. */
async function serve(
  serving: Serving,
  display: Display,
  options: EmulatorOptions & {
    readonly signal: AbortSignal;
    readonly described: EmulatorDescription;
    /** `--profile emulator` finds it. */
    readonly isForProfile: boolean;
    /** Keeps a request in the log file. */
    readonly log: ((line: RequestLine) => void) | undefined;
  },
): Promise<void> {
  const asked = new AbortController();
  const { index, how } = options.described;
  let known = index?.hash;
  const emulator = await startEmulator({
    ...options,
    onStop: () => asked.abort(),
    onRequest: (line) => {
      const { method, path, status, milliseconds } = line;
      options.log?.(line);
      display.info(`${status} ${method} ${path} ${milliseconds.toFixed(1)} ms`);
    },
    onDescription: (change) => {
      const isKnown = 'served' in change && change.served !== undefined && change.served.hash === known;
      if (!isKnown) tellOfChange(display, change, options.merchantHeader);
      if ('served' in change) known = change.served?.hash;
    },
  });
  serving.advertise(emulator, new Date());
  const { baseUrl, port } = emulator;
  const { signingKey } = filesOf(options.directory);
  const description = index ? descriptionServed(index) : null;
  const facts = { base_url: baseUrl, port, pid: process.pid, signing_key: signingKey, description };
  if (display.format.isForPeople) await display.stdout.write(`${baseUrl}\n`);
  else await display.showRecord(facts);
  const next = options.isForProfile ? ' Try: payctl buyers list --profile emulator' : '';
  display.info(`The emulator is running. Press Ctrl-C to stop it.${next}`);
  display.info(`Key that signs tokens for it: ${signingKey}`);
  for (const { url } of options.deliveries?.subscribe ?? []) display.info(`Delivers events to ${url}`);
  if (options.deliveries?.subscribe?.length) display.info(SECRETS);
  if (index) display.info(`The emulator also serves ${countOperations(index)}. ${how}`);
  await whenAborted(AbortSignal.any([options.signal, asked.signal]));
  if (asked.signal.aborted) display.info('The emulator was stopped by payctl emulator stop.');
  await emulator.close();
}

const SECRETS =
  'The secrets of these subscriptions: payctl webhook-subscriptions list --profile emulator --reveal-secrets';

/** An attempt as requests are printed; the status is 0 without a response. */
function attemptLine({ send, event, outcome, nextMs, state }: AttemptedEvent): string {
  const { status = 0, problem, milliseconds } = outcome;
  const line = `${status} POST ${send.url} ${event} ${milliseconds} ms`;
  if (state === 'delivered') return line;
  const waitMs = (nextMs ?? 0) - Date.now();
  const wait = waitMs < 1000 ? `${Math.max(0, waitMs)} ms` : formatDuration(waitMs);
  const next = nextMs === undefined ? 'given up' : `next attempt in ${wait}`;
  return `${line}: ${problem === undefined ? next : `${problem}; ${next}`}`;
}

function messageOf(error: unknown): string {
  return `An attempt to deliver was not recorded: ${error instanceof Error ? error.message : String(error)}`;
}

/** Says that the emulator serves another description from now on, and what needs a restart. */
function tellOfChange(display: Display, change: DescriptionChange, header = MERCHANT_HEADER): void {
  if ('error' in change) {
    const { message } = change.error;
    display.warn('description_not_served', `${message}; the emulator keeps serving the previous description`);
    return;
  }
  const { served } = change;
  if (!served) {
    display.info('The emulator no longer serves an imported description.');
    return;
  }
  display.info(`The emulator now serves ${countOperations(served)}.`);
  const { merchantHeader } = served;
  if (merchantHeader === undefined || merchantHeader === header || merchantHeader === MERCHANT_HEADER) return;
  const message = `The description names the merchant account header ${merchantHeader}; restart the emulator to use it`;
  display.warn('header_not_read', message);
}
