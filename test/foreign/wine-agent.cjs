// Runs in Node for Windows, under Wine: starts programs with pipes of Windows, which pipes of Unix are no substitute for, and
// passes on what they print. It is told what to do through a connection to the test that started it, as lines of JSON.
const { spawn } = require('node:child_process');
const { connect } = require('node:net');
const { createInterface } = require('node:readline');

const socket = connect(Number(process.argv[2]), '127.0.0.1');
const children = new Map();
const tell = (message) => socket.write(`${JSON.stringify(message)}\n`);

function start({ id, program, args, env, cwd, verbatim }) {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    windowsVerbatimArguments: verbatim,
    windowsHide: true,
  });
  children.set(id, child);
  child.stdin.on('error', () => {});
  for (const name of ['stdout', 'stderr']) {
    child[name].on('data', (data) => tell({ id, [name]: data.toString('base64') }));
  }
  child.on('error', (error) => tell({ id, error: error.message }));
  child.on('close', (code, signal) => tell({ id, code, signal }));
}

createInterface({ input: socket }).on('line', (line) => {
  const { start: started, id, stdin, end, kill } = JSON.parse(line);
  if (started) start({ id, ...started });
  if (stdin !== undefined) children.get(id)?.stdin.write(Buffer.from(stdin, 'base64'));
  if (end) children.get(id)?.stdin.end();
  if (kill) children.get(id)?.kill('SIGKILL');
});
socket.on('close', () => process.exit());
socket.on('error', () => process.exit(1));
