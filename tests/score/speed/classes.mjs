// Classes of devices as the engine tells them apart: engine/policies/runtimes/device_class.h. Held to it by speed.test.mjs.

const onChip = [7.2, 8.7, 11, 12.1];

function memoryOf({ vendor, unified_memory: unified, compute_capability: capability = 0, bandwidth }) {
  if (onChip.includes(capability) || unified) return 'unified';
  if (vendor !== 'nvidia') return (bandwidth?.value ?? 0) > 1000 ? 'datacenter' : 'graphics';
  return (Number.isInteger(capability) && capability < 12) || capability === 10.3 ? 'datacenter' : 'graphics';
}

/** @param {object} device a preset @returns {string} such as `nvidia-graphics` */
export function classOf(device) {
  const old = device.compute_capability > 0 && device.compute_capability < 7;
  return `${device.vendor}-${memoryOf(device)}${old ? '-before-tensor-cores' : ''}`;
}
