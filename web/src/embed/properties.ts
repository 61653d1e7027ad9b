// Attributes as properties, the same for every tag: a property writes its attribute, and reads what holds now.

import { blocks } from 'virtual:plimsoll-keys';

/** Attributes of fields, with the block of the request that each stands in. */
export const fieldAttributes: ReadonlyMap<string, string> = new Map(
  Object.entries(blocks).flatMap(([block, keys]) => keys.split(' ').map((key) => [key, block] as const)),
);

/** What a tag has besides: how it is shown, and what it is asked as a whole. */
export const ownAttributes = [
  ...['task', 'request', 'requests', 'size', 'controls', 'locked', 'theme', 'unit', 'time', 'reconcile', 'loading', 'engine-src'],
  ...['kind', 'show', 'row', 'digits', 'against'],
] as const;

export const observed: readonly string[] = [...ownAttributes, 'lang', ...fieldAttributes.keys()];

const camel = (name: string): string => name.replace(/[-_](\w)/g, (_, letter: string) => letter.toUpperCase());

export type Written = string | number | boolean | null | undefined;

/** What a property needs of its tag. */
export interface Propertied extends HTMLElement {
  /** What holds now, where the tag is live. */
  current(name: string): string | number | boolean | undefined;
  /** Writes an attribute, or takes it away; what is locked stays. */
  write(name: string, value: Written): void;
}

/** Gives a class the properties, but for those that it or every element has. */
export function defineProperties(prototype: Propertied): void {
  for (const name of observed) {
    if (camel(name) in prototype) continue;
    Object.defineProperty(prototype, camel(name), {
      configurable: true,
      enumerable: true,
      get(this: Propertied) {
        return this.current(name) ?? this.getAttribute(name) ?? undefined;
      },
      set(this: Propertied, value: Written) {
        this.write(name, value);
      },
    });
  }
}

/** What a script has set before the tag was known goes through the properties once it is. */
export function upgrade(element: object): void {
  for (const name of observed.map(camel)) {
    const own = Object.getOwnPropertyDescriptor(element, name);
    if (!own || !('value' in own)) continue;
    Reflect.deleteProperty(element, name);
    Reflect.set(element, name, own.value);
  }
}
