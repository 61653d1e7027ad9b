#!/usr/bin/env node
// The command line: the page's engine under Node. Everything it does is in ../src/node.

import { run } from '../src/node/commands/commands.mjs';

// A reader that stops early (| head) is no fault of ours.
process.stdout.on('error', (fault) => {
  if (fault.code !== 'EPIPE') throw fault;
});

process.exitCode = await run(process.argv.slice(2));
