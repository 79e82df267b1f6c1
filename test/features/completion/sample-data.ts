import type { CompletionFlag } from '../../../src/cli/completion.ts';
import type { CompletionData } from '../../../src/features/completion/data.ts';

const GLOBAL_FLAGS: readonly CompletionFlag[] = [
  { name: 'output', char: 'o', summary: 'Format.', value: ['table', 'json'] },
  { name: 'verbose', char: 'v', summary: 'Say more.' },
  { name: 'profile', summary: 'Profile.', value: 'profile' },
];

/** A small program with everything that completion distinguishes. */
export const SAMPLE_DATA: CompletionData = {
  helpTopics: { formats: 'Formats.' },
  shared: GLOBAL_FLAGS,
  topics: { buyers: 'Buyers.', 'buyers gift-cards': 'Gift cards.', profiles: 'Profiles.' },
  commands: {
    'buyers gift-cards list': {
      summary: 'List gift cards.',
      flags: GLOBAL_FLAGS,
      args: [],
      columns: [],
      deepColumns: [],
    },
    'buyers list': {
      summary: 'List buyers.',
      flags: [
        { name: 'search', summary: 'Text.', value: 'unknown' },
        { name: 'columns', summary: 'Fields.', value: 'columns' },
        { name: 'metadata', summary: 'Pairs.', value: 'unknown', multiple: true },
        { name: 'data', summary: 'Body.', value: 'text-or-file' },
        { name: 'faults', summary: 'Plan.', value: 'file' },
        ...GLOBAL_FLAGS,
      ],
      args: [],
      columns: ['id', 'display_name', 'address', 'address.city'],
      deepColumns: ['address.geo.lat', 'address.geo.lon'],
    },
    completion: {
      summary: 'Print a script.',
      flags: GLOBAL_FLAGS,
      args: [['bash', 'zsh']],
      columns: [],
      deepColumns: [],
    },
    'profiles delete': {
      summary: 'Delete a profile.',
      flags: GLOBAL_FLAGS,
      args: ['stored-profile'],
      columns: [],
      deepColumns: [],
    },
    'profiles show': {
      summary: 'Show a profile.',
      flags: GLOBAL_FLAGS,
      args: ['profile', 'unknown'],
      columns: [],
      deepColumns: [],
    },
  },
};
