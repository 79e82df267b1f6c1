// The floor of a list command: one GET over Node's own client, JSON.parse, print. CommonJS, because importing these modules from
// an ES module costs more than all the rest. Argument: origin.
const url = `${process.argv[2]}/buyers?limit=100`;
const { get } = url.startsWith('https:') ? require('node:https') : require('node:http');

get(url, { headers: { authorization: 'Bearer x' } }, (response) => {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk) => {
    text += chunk;
  });
  response.on('end', () => process.stdout.write(`${JSON.stringify(JSON.parse(text))}\n`));
});
