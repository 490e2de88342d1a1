// A worker for `downbeat run exec:'node node_worker.js URL'`: one GET for each line, over a connection that the agent keeps.
const http = require('http');
const readline = require('readline');

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
let opened = 0;
let position = 0;

readline.createInterface({ input: process.stdin }).on('line', (line) => {
  if (line.trim() === 'ping') {
    console.log('pong');
    return;
  }
  const request = http.get(process.argv[2], { agent }, (response) => {
    response.resume().on('end', () => {
      const said = response.statusCode < 400 ? 'ok' : `fail HTTP ${response.statusCode}`;
      console.log(said + ' ' + JSON.stringify({ connection: opened, position }));
    });
  });
  request.on('socket', () => {
    position = request.reusedSocket ? position + 1 : 1;
    opened += request.reusedSocket ? 0 : 1;
  });
  request.on('error', (failure) => console.log(`fail ${failure.code}`));
});
