import { boolean } from '@oclif/core/flags';
import { BaseCommand } from '../../cli/base-command.ts';
import { argument } from '../../cli/flags/arguments.ts';
import { connectionFlags } from '../../cli/flags/global.ts';
import { recordFlags } from '../../cli/flags/list.ts';
import { recordPrinter } from '../../cli/show/show-document.ts';
import { findProfile } from '../../config/profile.ts';
import { UsageError } from '../../errors.ts';
import { ownerOf } from '../../features/api/forget-description.ts';
import {
  importAndStore,
  importRecord,
  nameOf,
  type Replaced,
  reportIssues,
} from '../../features/api/import-and-store.ts';
import { readSource } from '../../features/api/read-source.ts';
import { quote } from '../../text/format.ts';

export default class ApiImport extends BaseCommand {
  static override readonly summary = 'Import an OpenAPI description and turn its operations into commands.';

  static override readonly description =
    `Reads OpenAPI 3.0 to 3.2 and Swagger 2.0 in JSON or YAML, up to 64 MB. The description belongs to the profile of --profile, else to the
active one, else to runs without a profile. Only references within the document are followed. A URL is requested once, without
a token, over https or on this machine. payctl reports what it cannot run and what it cannot fully check; -o json lists all of
it.`;

  static override readonly args = {
    source: argument('File, URL, or - for standard input.', { name: 'file' }),
  };

  static override readonly flags = {
    yes: boolean({ char: 'y', summary: 'Do not ask before replacing the description of another API.' }),
    ...recordFlags(),
    proxy: connectionFlags().proxy,
    timeout: connectionFlags().timeout,
  };

  static override readonly examples = [
    {
      description: 'Import a description for the active profile:',
      command: 'payctl api import openapi.json',
    },
    {
      description: 'List what cannot be run:',
      command: "payctl api import openapi.yaml --jq '.issues[] | select(.skipped)'",
    },
  ];

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ApiImport);
    const { settings, display } = this.openSession(flags);
    const isWhole = flags.columns !== undefined || flags.jq !== undefined || !display.format.isForPeople;
    const print = await recordPrinter(display, flags);
    const profile = settings.profile.value?.name;
    if (profile !== undefined) findProfile(this.configuration.profiles.profiles, profile);
    const source = await readSource(args.source, { settings, display, runtime: this.runtime });
    const { environment } = this.runtime;
    const imported = await importAndStore(source, {
      directory: this.configuration.directory,
      environment,
      profile,
      confirm: async (replaced, title) => {
        if (flags.yes) return;
        const question = `Replace the description ${quote(nameOf(replaced))} ${ownerOf(profile)} with ${quote(title)}, which describes another API?`;
        const prompter = await this.runtime.prompter();
        if (!(await prompter?.confirm(question))) throw notConfirmed(replaced, profile);
      },
    });
    if (isWhole) await print(importRecord(imported, profile, { forPerson: false }));
    else await display.showRecord(importRecord(imported, profile, { forPerson: true }), { brief: true });
    reportIssues(display, imported, settings, { profile: flags.profile, environment });
  }
}

function notConfirmed(replaced: Replaced, profile: string | undefined): UsageError {
  const message = `Nothing was imported: the description ${ownerOf(profile)} is ${quote(nameOf(replaced))}, another API`;
  return new UsageError('not_confirmed', message, {
    hint: 'Add --yes to replace it, or --profile NAME to import into another profile.',
  });
}
