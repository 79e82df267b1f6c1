import { expect, it } from 'vitest';
import { useHome } from '../../harness/run-payctl.ts';
import { serveAnswers } from '../paged-service.ts';

const home = useHome();

it.each(['x', 'exit_code'])(
  'shows the report whole when the token %j is part of its words',
  async (token) => {
    const server = await serveAnswers({ status: 200, body: 'exit_code' });
    const env = { PAYCTL_BASE_URL: server.origin, PAYCTL_TOKEN: token };
    const { stderr, code } = await home.payctl(['buyers', 'list', '-o', 'json'], { env });
    expect(code).toBe(9);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'unreadable_response', exit_code: 9 });
  },
);
