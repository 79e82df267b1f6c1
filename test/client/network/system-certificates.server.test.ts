import { expect, it, onTestFinished, vi } from 'vitest';
import { makeAuthority } from '../../harness/certificates.ts';
import { answers } from '../../harness/http-server.ts';
import { PAGE, serveTls } from './tls-service.ts';

const authority = makeAuthority({ name: 'Corp Root' });

it('a certificate is checked against those of the operating system where no other vouches for it, then at once', async () => {
  const service = await serveTls(answers([{ body: PAGE }, { body: { id: 's' } }]), { authority });
  const tls = process.getBuiltinModule('node:tls');
  const get = tls.getCACertificates;
  const spy = vi
    .spyOn(tls, 'getCACertificates')
    .mockImplementation((type) => (type === 'system' ? [authority.cert ?? ''] : get(type)));
  // What was read of the system is kept with the modules: no other test may share them.
  vi.resetModules();
  onTestFinished(() => {
    spy.mockRestore();
    vi.resetModules();
  });
  const { buyersAt } = await import('../live-client.ts');
  const buyers = buyersAt(service.origin, { maxRetries: 0 });
  expect(await buyers.list()).toEqual(PAGE);
  expect(service.connections()).toBe(2);
  await buyers.shippingDetails.create('b1', {});
  expect(service.connections()).toBe(3);
});
