import { expect, it } from 'vitest';
import { parseTargetUrl } from '../../../src/features/webhooks/targets.ts';
import { thrownBy } from '../../config/config-directory.ts';

it.each(['http://127.0.0.1:3000/#x', 'ftp://127.0.0.1/', 'hooks'])(
  'the URL of a receiver cannot be %s',
  (text) => {
    expect(thrownBy(() => parseTargetUrl(text, '--to'))).toMatchObject({
      code: 'invalid_target',
      message: `--to is "${text}", which is not an http or https URL`,
    });
    expect(parseTargetUrl('http://127.0.0.1:3000/hooks', '--to')).toBe('http://127.0.0.1:3000/hooks');
  },
);

it('the port of a receiver cannot be 0', () => {
  expect(thrownBy(() => parseTargetUrl('http://127.0.0.1:0/hooks', '--to'))).toMatchObject({
    code: 'invalid_target',
    message: '--to is "http://127.0.0.1:0/hooks", whose port is 0',
    hint: 'Use the port that the receiver listens on.',
  });
});
