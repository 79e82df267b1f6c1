import { appendFileSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Does `work` while no other process does its own under the same lock: a file of process ids, one a line, its owner's and
 * those of the programs that the owner started. It is stale when none of them lives any more: the owner may be killed while
 * the npm that it started continues. `work` gets a function that adds a process id.
 */
export async function oneAtATime(lock, work) {
  await acquire(lock);
  try {
    return await work((pid) => appendFileSync(lock, `${pid}\n`));
  } finally {
    rmSync(lock, { force: true });
  }
}

async function acquire(lock) {
  for (let told = false; !tryToAcquire(lock); await wait(100)) {
    const found = read(lock);
    if (found === '') continue;
    const living = found.split('\n').filter(lives);
    if (living.length === 0) takeAway(lock, found);
    else if (!told) {
      process.stderr.write(
        `payctl: waiting for another set-up (process ${living[0]}; its lock is ${lock}) …\n`,
      );
      told = true;
    }
  }
}

/** A link appears with its contents, where a file that is created would be empty at first. */
function tryToAcquire(lock) {
  const own = `${lock}.${process.pid}`;
  writeFileSync(own, `${process.pid}\n`);
  try {
    linkSync(own, lock);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Removes a stale lock, but not the one that somebody quicker has put into its place since. */
function takeAway(lock, stale) {
  const away = `${lock}.${process.pid}`;
  try {
    renameSync(lock, away);
    if (read(away) !== stale) linkSync(away, lock);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(away, { force: true });
  }
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return '';
    throw error;
  }
}

function lives(line) {
  const pid = Number(line);
  // A lock that is not held yet and has the own id was left by an earlier process of that id.
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
