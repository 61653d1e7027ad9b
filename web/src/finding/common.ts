// The order of common presets, as data of the presets' own folder.

import devices from '../../../presets/common/devices.json';
import encodings from '../../../presets/common/encodings.json';
import models from '../../../presets/common/models.json';

const ids = ({ order }: { order: { id: string }[] }): readonly string[] => order.map(({ id }) => id);

/** Ids of what people mostly mean, the most usual first, by kind. */
export const common = { models: ids(models), devices: ids(devices), encodings: ids(encodings) };
