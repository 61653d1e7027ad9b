// Which room of the engine may include which. The right may include the left, never back:
//
//   number <- inputs <- model <- policies <- estimate <- plan <- api <- bindings
//   formats uses number, inputs and model/read/facts.h; only api uses formats.
//   compositions link the rooms into an engine, and nothing includes them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { engineFiles, roomOf, root } from './sources.mjs';

const line = ['number', 'inputs', 'model', 'policies', 'estimate', 'plan'];
const mayInclude = Object.fromEntries(line.map((room, at) => [room, line.slice(0, at)]));
mayInclude.formats = ['number', 'inputs'];
mayInclude.api = [...line, 'formats'];
mayInclude.bindings = [];
mayInclude.compositions = ['inputs'];

// Single headers beyond those rooms.
const alsoInclude = { formats: ['model/read/facts.h'], bindings: ['api.h'], compositions: ['model/read/architecture.h'] };

// What is not of the standard library, and who may know it.
const libraries = { 'nlohmann/': ['formats', 'api'], 'emscripten/': ['bindings'] };

const files = engineFiles();

test('every file of the engine stands in a room that has its place in the line', () => {
  assert.ok(files.length > 5, 'found the engine');
  const strangers = files.filter((file) => mayInclude[file.room] === undefined).map((file) => file.path);
  assert.deepEqual(strangers, []);
});

test('no include runs against the arrows', () => {
  const against = [];
  for (const file of files) {
    for (const { path, own } of file.includes) {
      if (!own || path.endsWith('.inc')) continue; // written by CMake into the build folder
      const allowed = roomOf(path) === file.room || mayInclude[file.room]?.includes(roomOf(path)) || alsoInclude[file.room]?.includes(path);
      if (!allowed) against.push(`${file.path} includes ${path}`);
    }
  }
  assert.deepEqual(against, []);
});

test('own includes are paths from engine/, and exist', () => {
  const lost = [];
  for (const file of files) {
    for (const { path, own } of file.includes) {
      if (own && !path.endsWith('.inc') && !existsSync(`${root}/engine/${path}`)) lost.push(`${file.path} includes ${path}`);
    }
  }
  assert.deepEqual(lost, []);
});

test('JSON stays in formats and api, Embind in bindings, and no other library comes in', () => {
  const outside = [];
  for (const file of files) {
    for (const { path, own } of file.includes) {
      if (own || /^c?[a-z_]+$/.test(path)) continue;
      const library = Object.keys(libraries).find((prefix) => path.startsWith(prefix));
      if (!libraries[library]?.includes(file.room)) outside.push(`${file.path} includes <${path}>`);
    }
  }
  assert.deepEqual(outside, []);
});

test('model/read/facts.h, which formats may see, needs only what formats may see', () => {
  const seen = new Set();
  const queue = ['model/read/facts.h'];
  while (queue.length > 0) {
    const path = queue.pop();
    if (seen.has(path)) continue;
    seen.add(path);
    queue.push(
      ...(files
        .find((file) => file.path === path)
        ?.includes.filter((include) => include.own)
        .map((include) => include.path) ?? []),
    );
  }
  const beyond = [...seen].filter((path) => path !== 'model/read/facts.h' && !mayInclude.formats.includes(roomOf(path)));
  assert.deepEqual(beyond, []);
});

test('no room includes a composition: what an engine can do is asked, not known', () => {
  const knowing = files.filter(
    (file) => file.room !== 'compositions' && file.includes.some(({ path, own }) => own && roomOf(path) === 'compositions'),
  );
  assert.deepEqual(
    knowing.map((file) => file.path),
    [],
  );
});

test('the CMake targets are the same rooms, linked along the same arrows', () => {
  const text = readFileSync(`${root}/CMakeLists.txt`, 'utf8');
  const uses = Object.fromEntries(
    [...text.matchAll(/^plimsoll_room\((\w+)(?: USES ([\w ]+?))?(?: (?:PRIVATELY|PRECOMPILES) [^)]+)?\)/gm)].map(([, room, list]) => [
      room,
      list?.split(' ') ?? [],
    ]),
  );
  const reach = (room) => new Set(uses[room].flatMap((used) => [used, ...reach(used)]));
  assert.deepEqual(
    Object.keys(uses).sort(),
    Object.keys(mayInclude)
      .filter((room) => !['bindings', 'compositions'].includes(room))
      .sort(),
  );
  for (const room of Object.keys(uses)) {
    // formats links all of model for the sake of one header.
    const allowed = room === 'formats' ? [...mayInclude.formats, 'model'] : mayInclude[room];
    assert.deepEqual([...reach(room)].sort(), [...allowed].sort(), room);
  }
});
