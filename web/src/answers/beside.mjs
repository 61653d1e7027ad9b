// What else fits, or what would: searches that the command line asks beside a request, one of each field.

import { fieldsSought, fits, isHardware, offered, questionAbout } from './sought.mjs';

const at = (value, path) => path.split('.').reduce((inner, name) => inner?.[name], value);

/** What holds of a field: what the request says, or what was assumed. */
const ownOf = (field, request, answer) => at(request, field) ?? answer.assumptions?.find((one) => one.field === field)?.value;

/**
 * The value of each field that fits, where it is another than the request's.
 * @param {(question: object) => any} solve @param {any} request @param {any} answer its reply @param {readonly {id: string, vendor?: string}[]} devices
 * @returns {{field: string, value: string | number}[]}
 */
export function beside(solve, request, answer, devices) {
  if (!answer.fit) return [];
  const { preset } = request.device ?? {}; // devices that differ are no single one
  const fields = fieldsSought[request.training || request.task === 'training' ? 'training' : 'inference'];
  const open = fields.filter((field) => !isHardware(field) || (!fits(answer) && preset !== undefined));
  return open.flatMap((field) => {
    const reply = solve({ request: { ...request, explain: 'none' }, ...questionAbout(field, preset, devices) });
    const value = offered(field, reply, answer, ownOf(field, request, answer));
    return value === undefined ? [] : [{ field, value }];
  });
}
