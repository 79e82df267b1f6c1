// The floor of a list command: one GET over node:http, JSON.parse, print. CommonJS, because importing node:http from
// an ES module costs more than all the rest.
const http = require('node:http');

http.get(`${process.argv[2]}/buyers?limit=100`, { headers: { authorization: 'Bearer x' } }, (response) => {
  let text = '';
  response.setEncoding('utf8');
  response.on('data', (chunk) => {
    text += chunk;
  });
  response.on('end', () => process.stdout.write(`${JSON.stringify(JSON.parse(text))}\n`));
});
