import { describe, expect, it } from 'vitest';
import type { Prompter } from '../../../../src/cli/prompt/prompter.ts';
import { readEnvironment } from '../../../../src/config/environment.ts';
import { resolveSettings } from '../../../../src/config/settings.ts';
import { completeProfile } from '../../../../src/features/auth/login/profile-questions.ts';

/** Answers each question by its first word, and remembers the questions. */
function answering(answers: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const answerTo = (question: string) => {
    const name = question.split(' ')[0] ?? '';
    asked.push(name);
    return answers[name];
  };
  const prompter: Prompter = {
    ask: async (question, options) => answerTo(question) ?? options?.fallback ?? '',
    askSecret: async () => '',
    choose: async (question, options, fallback) => {
      const answer = answerTo(question);
      return answer === undefined ? (fallback ?? 0) : options.indexOf(answer);
    },
    confirm: async () => false,
  };
  return { asked, prompter };
}

const ALL = { Base: 'https://{id}.example.com', Instance: 'acme', Which: 'production', Merchant: 'outlet' };

async function complete(flags: Readonly<Record<string, string>>, variables = {}) {
  const { asked, prompter } = answering(ALL);
  const before = { name: 'p', merchantAccount: 'before' };
  const settings = resolveSettings({
    flags,
    environment: readEnvironment(variables),
    profiles: new Map([['p', before]]),
    activeProfile: 'p',
  });
  const profile = await completeProfile({ before, settings, flags, asker: prompter, prompter });
  return { asked, profile };
}

describe('the questions of a login', () => {
  it('are asked for everything that no flag gives', async () => {
    expect(await complete({})).toMatchObject({
      asked: ['Base', 'Instance', 'Which', 'Merchant'],
      profile: {
        baseUrl: 'https://{id}.example.com',
        instance: 'acme',
        environment: 'production',
        merchantAccount: 'outlet',
      },
    });
  });

  it.each([
    [{ 'base-url': 'https://{id}.other.example' }, ['Instance', 'Which', 'Merchant']],
    [{ 'base-url': 'https://other.example' }, ['Which', 'Merchant']],
    [{ instance: 'two' }, ['Base', 'Which', 'Merchant']],
    [{ environment: 'sandbox' }, ['Base', 'Instance', 'Merchant']],
    [{ 'merchant-account': 'main' }, ['Base', 'Instance', 'Which']],
    [
      {
        'base-url': 'https://{id}.other.example',
        instance: 'two',
        environment: 'sandbox',
        'merchant-account': 'main',
      },
      [],
    ],
  ] as const)('are not asked for what %j gives', async (flags, asked) => {
    const { profile, ...done } = await complete(flags);
    expect(done.asked).toEqual(asked);
    const given: Record<string, string | undefined> = flags;
    expect(profile.baseUrl).toBe(given['base-url'] ?? ALL.Base);
    expect(profile.environment).toBe(given.environment ?? ALL.Which);
    expect(profile.merchantAccount).toBe(given['merchant-account'] ?? ALL.Merchant);
    const takesInstance = profile.baseUrl?.includes('{id}');
    expect(profile.instance).toBe(takesInstance ? (given.instance ?? ALL.Instance) : undefined);
  });

  it('propose what a variable gives', async () => {
    const { asked, profile } = await complete({}, { PAYCTL_BASE_URL: 'https://variable.example' });
    expect(asked).toContain('Base');
    expect(profile.baseUrl).toBe(ALL.Base);
  });
});
