import { changeProfiles } from '../../src/config/profile-writer.ts';

/**
 * A process that changes profiles, for tests of several at the same time. Its arguments: the configuration directory, the
 * name of a profile of its own, and how often to change. Each change makes that profile and counts one more in `shared`.
 */
const [directory = '', name = '', times = '1'] = process.argv.slice(2);

for (let time = 1; time <= Number(times); time += 1) {
  await changeProfiles(directory, (document) => {
    const shared = document.profiles.shared ?? {};
    const profiles = {
      ...document.profiles,
      [name]: { instance: name.repeat(40), later: time },
      shared: { ...shared, count: Number(shared.count ?? 0) + 1 },
    };
    return { ...document, profiles };
  });
}
