// plimsoll mcp: the Model Context Protocol over a child process, as a client speaks it, and as one speaks it wrongly.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { root } from '../architecture/sources.mjs';
import { bare, plimsoll, program, replies } from './run.mjs';

const Ajv = createRequire(`${root}/web/package.json`)('ajv/dist/2020.js').default;
const schema = JSON.parse(readFileSync(`${root}/presets/schema/request.json`, 'utf8'));

/** A server, and what it says line by line: every line has to be a message. */
class Server {
  constructor() {
    this.child = spawn(process.execPath, [program, 'mcp'], { env: bare, stdio: ['pipe', 'pipe', 'pipe'] });
    this.said = [];
    this.waiting = [];
    this.errors = '';
    this.child.stderr.on('data', (data) => (this.errors += data));
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      this.said.push(JSON.parse(line));
      this.waiting.shift()?.();
    });
  }

  /** Writes a line and gives the next that comes. @param {unknown} message an object, or a text as it is */
  async ask(message) {
    const came = new Promise((done) => this.waiting.push(done));
    this.tell(message);
    await came;
    return this.said.at(-1);
  }

  tell(message) {
    this.child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  async end() {
    const ended = new Promise((done) => this.child.once('exit', done));
    this.child.stdin.end();
    return ended;
  }
}

const server = new Server();
let at = 0;
const call = (method, params) => server.ask({ jsonrpc: '2.0', id: ++at, method, ...(params && { params }) });
const tool = async (name, given) => (await call('tools/call', { name, arguments: given })).result;
const replyOf = ({ content }) => JSON.parse(content[0].text);

const request = { model: { preset: 'llama-3-8b' }, device: { preset: 'rtx-4090' }, inference: { context: 8192 } };
const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

before(async () => {
  const { result } = await call('initialize', client);
  assert.equal(result.protocolVersion, '2025-06-18');
  assert.deepEqual(Object.keys(result.capabilities), ['tools']);
  assert.equal(result.serverInfo.name, 'plimsoll');
  server.tell({ jsonrpc: '2.0', method: 'notifications/initialized' });
});
after(async () => {
  assert.equal(await server.end(), 0);
  assert.equal(server.errors, '');
});

test('of a revision that is not known, the newest one is offered', async () => {
  const { result } = await call('initialize', { ...client, protocolVersion: '1999-01-01' });
  assert.match(result.protocolVersion, /^20\d\d-\d\d-\d\d$/);
});

test('ping', async () => assert.deepEqual((await call('ping')).result, {}));

test('tools are those of the command line, each with a schema that can be used', async () => {
  const { tools } = (await call('tools/list')).result;
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['estimate', 'solve', 'plan', 'fit', 'compare', 'reconcile', 'inspect', 'list'],
  );
  for (const { name, description, inputSchema } of tools) {
    assert.ok(description.length > 40, name);
    assert.equal(inputSchema.type, 'object', name);
    assert.doesNotThrow(() => new Ajv({ strict: false }).compile(inputSchema), name);
  }
  const checks = new Ajv({ strict: false }).compile(tools[0].inputSchema);
  assert.ok(checks(request));
  assert.ok(!checks({ ...request, devicse: 2 }));
});

test('estimate offers every field of a request', async () => {
  const { inputSchema } = (await call('tools/list')).result.tools[0];
  for (const block of ['inference', 'training'])
    assert.deepEqual(Object.keys(inputSchema.$defs[block].properties), Object.keys(schema.$defs[block].properties), block);
  assert.deepEqual(Object.keys(inputSchema.properties), Object.keys(schema.properties));
  assert.doesNotMatch(JSON.stringify(inputSchema), /"(option|form|enumeration)":\{/);
});

test('each tool answers what the command line prints', async () => {
  const printed = (words, input) => replies(plimsoll([...words, '--json'], JSON.stringify(input)))[0];
  const estimated = await tool('estimate', request);
  assert.equal(estimated.isError, false);
  assert.deepEqual(replyOf(estimated), printed(['estimate', '-'], request));
  const question = { request, find: 'inference.context' };
  assert.deepEqual(replyOf(await tool('solve', question)), printed(['solve', '-'], question));
  const layouts = { request: { model: request.model }, cluster: { device: request.device, devices_per_node: 2 }, keep: 1 };
  assert.deepEqual(replyOf(await tool('plan', layouts)), printed(['plan', '-'], layouts));
  assert.deepEqual(replyOf(await tool('list', { kind: 'runtimes' })).entries, printed(['list', 'runtimes']));
  assert.equal(replyOf(await tool('fit', request)).kind, 'encodings');
  assert.equal(replyOf(await tool('compare', { requests: [request, { ...request, devices: 2 }] })).requests.length, 2);
  const log = 'INFO 11-02 [gpu_worker.py:298] Available KV cache memory: 15.37 GiB';
  assert.equal(replyOf(await tool('reconcile', { text: log })).tool, 'vllm');
  const config = JSON.stringify({ model_type: 'llama', hidden_size: 64, num_hidden_layers: 2, vocab_size: 100 });
  assert.equal(replyOf(await tool('inspect', { texts: [{ name: 'config.json', text: config }] })).kind, 'config');
});

test("what is wrong with a request is the tool's to say, for the model to read", async () => {
  const result = await tool('estimate', { model: { preset: 'llama-3-8' } });
  assert.equal(result.isError, true);
  assert.match(replyOf(result).error.hint, /llama-3-8b/);
  const unknown = await tool('estimate', { ...request, devicse: 2 });
  assert.equal(unknown.isError, true);
  assert.equal(replyOf(unknown).error.where, 'devicse');
});

test('errors of the protocol have its codes', async () => {
  const code = async (message) => {
    const { error, id } = await server.ask(message);
    return [error.code, id];
  };
  assert.deepEqual(await code('not JSON'), [-32700, null]);
  assert.deepEqual(await code('3'), [-32600, null]);
  assert.deepEqual(await code('[]'), [-32600, null]);
  assert.deepEqual(await code({ id: 1, method: 'ping' }), [-32600, null]);
  assert.deepEqual(await code({ jsonrpc: '2.0', id: {}, method: 'ping' }), [-32600, null]);
  assert.deepEqual(await code({ jsonrpc: '2.0', id: 'x' }), [-32600, 'x']);
  assert.deepEqual(await code({ jsonrpc: '2.0', id: 'y', method: 'resources/list' }), [-32601, 'y']);
  assert.deepEqual(await code({ jsonrpc: '2.0', id: 'z', method: 'constructor' }), [-32601, 'z']);
  assert.deepEqual(await code({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'guess' } }), [-32602, 1]);
  assert.deepEqual(await code({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list', arguments: [] } }), [-32602, 2]);
  assert.deepEqual(await code({ jsonrpc: '2.0', id: 3, method: 'tools/call' }), [-32602, 3]);
  assert.deepEqual(await code({ jsonrpc: '2.0', id: 4, method: 'tools/list', params: [] }), [-32602, 4]);
});

test('nothing answers a notification or an answer; a batch is answered by one', async () => {
  const before = server.said.length;
  server.tell({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  server.tell({ jsonrpc: '2.0', method: 'nobody/knows' });
  server.tell({ jsonrpc: '2.0', id: 7, result: {} });
  server.tell([{ jsonrpc: '2.0', method: 'notifications/initialized' }]);
  const ping = (id) => ({ jsonrpc: '2.0', id, method: 'ping' });
  const answers = await server.ask([ping('a'), { jsonrpc: '2.0', method: 'nobody/knows' }, ping('b')]);
  assert.equal(server.said.length, before + 1);
  assert.deepEqual(
    answers.map(({ id }) => id),
    ['a', 'b'],
  );
});

test('a message that is too long is told so, and the next one is answered', async () => {
  const { error } = await server.ask(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'x'.repeat(2 ** 25)}"}}`);
  assert.equal(error.code, -32600);
  assert.deepEqual((await call('ping')).result, {});
});

test('wrong usage', () => {
  assert.equal(plimsoll(['mcp', 'file']).status, 2);
  assert.match(plimsoll(['mcp', '--help']).stdout, /mcpServers/);
});
