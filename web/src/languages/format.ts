// Numbers for people. The only place that knows GiB from GB.

export type Unit = 'GiB' | 'GB';

const ladders: Record<Unit, { base: number; names: string[] }> = {
  GiB: { base: 1024, names: ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] },
  GB: { base: 1000, names: ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] },
};

/** Bytes in one of the unit that the page shows large numbers in. */
export const bytesIn = (unit: Unit): number => ladders[unit].base ** 3;

/** A marketed size as data sheets write it, in bytes. */
export function sizeOf({ value, unit }: { value: number; unit: string }): number {
  const step = unit.endsWith('iB') ? ladders.GiB.names.indexOf(unit) : Math.max(0, ladders.GB.names.indexOf(unit));
  return value * (unit.endsWith('iB') ? 1024 : 1000) ** step;
}

/** A context as people write it: 32,768 tokens are 32K, and so are 32,000. */
export function tokens(count: number): string {
  const step = count % 1000 === 0 ? 1000 : 1024;
  if (count < step || count % step !== 0) return String(count);
  const thousands = count / step;
  return thousands >= step && thousands % step === 0 ? `${thousands / step}M` : `${thousands}K`;
}

export class Format {
  /** Formatters are costly to make and asked for on every keystroke. */
  private made = new Map<string, Intl.NumberFormat>();

  constructor(
    readonly language: string,
    readonly unit: Unit,
  ) {}

  private number(value: number, options: Intl.NumberFormatOptions): string {
    const key = JSON.stringify(options);
    let formatter = this.made.get(key);
    if (!formatter) this.made.set(key, (formatter = new Intl.NumberFormat(this.language, options)));
    return formatter.format(value);
  }

  private digits(value: number, digits: number): string {
    return this.number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  }

  /** A size as number and unit apart, so that the page may set them in different sizes. */
  split(bytes: number): { number: string; unit: string } {
    const { base, names } = ladders[this.unit];
    const size = Math.abs(bytes);
    let step = 0;
    while (step < names.length - 1 && size >= base ** (step + 1)) step++;
    const value = bytes / base ** step;
    const digits = step === 0 || Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 100 ? 1 : 2;
    return { number: this.digits(value, digits), unit: names[step]! };
  }

  bytes(bytes: number): string {
    const { number, unit } = this.split(bytes);
    return `${number}\u00a0${unit}`;
  }

  /** Two decimals in units of 2^30 or 2^40, as the hosted calculator prints them under the names GB and TB. */
  hosted(bytes: number): string {
    const tera = bytes >= 2 ** 40;
    return `${this.digits(bytes / 2 ** (tera ? 40 : 30), 2)}\u00a0${tera ? 'TB' : 'GB'}`;
  }

  count(value: number): string {
    return this.number(value, Math.abs(value) < 1e-3 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 6 });
  }

  /** Bits of a weight, as people compare formats. */
  bits(value: number): string {
    return this.number(value, { maximumFractionDigits: 2 });
  }

  percent(part: number, whole: number): string {
    return whole > 0 ? this.number(part / whole, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }) : '';
  }

  /** Parameter counts: 8.03 billion in the language's own short form. */
  short(value: number, digits = 4): string {
    return this.number(value, { notation: 'compact', maximumSignificantDigits: digits });
  }
}

const formats = new Map<string, Format>();

/** One for each language and unit: whoever holds one may compare it to know whether anything changed. */
export function formatIn(language: string, unit: Unit): Format {
  const key = `${language} ${unit}`;
  const format = formats.get(key) ?? new Format(language, unit);
  formats.set(key, format);
  return format;
}
