// Text for a terminal: colours that can be switched off, and values that cannot speak to the terminal. A row's value may hold anything,
// also escape sequences; what is printed in a table is made visible first.

export type Colour = 'red' | 'green' | 'yellow' | 'dim' | 'bold';
const CODES: Readonly<Record<Colour, readonly [number, number]>> = {
  red: [31, 39], green: [32, 39], yellow: [33, 39], dim: [2, 22], bold: [1, 22],
};

export interface Style {
  readonly colour: boolean;
  paint(colour: Colour, text: string): string;
}

/** Colour is for terminals, and only where neither NO_COLOR nor --no-color asks for none. */
export function createStyle(options: { isTerminal: boolean; noColor: boolean; env: Readonly<Record<string, string | undefined>> }): Style {
  const asked = options.env['NO_COLOR'] ?? '';
  const colour = options.isTerminal && !options.noColor && asked === '' && options.env['TERM'] !== 'dumb';
  return {
    colour,
    paint: (name, text) => (colour ? `\u001b[${CODES[name][0]}m${text}\u001b[${CODES[name][1]}m` : text),
  };
}

/** Makes control and invisible direction characters visible, so that a value cannot move the cursor or reverse a line. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code === 10 ? '\\n' : code === 9 ? '\\t' : code === 13 ? '\\r' : `\\u{${code.toString(16)}}`;
  });
}

/** Cut to a number of characters, never inside a surrogate pair. */
export function cut(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** 1234567 as 1,234,567, whatever the locale. */
export function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `s` where a count asks for it. */
export function plural(count: number | string, word: string): string {
  return `${grouped(String(count))} ${word}${String(count) === '1' ? '' : 's'}`;
}

/** A row key as `id=42,part=2`. */
export function keyText(key: Readonly<Record<string, string | null>>): string {
  return visible(Object.entries(key).map(([name, value]) => `${name}=${value ?? 'null'}`).join(','));
}

/** RFC 3339 without the zeros at the end of its fraction. */
export function shortTime(time: string): string {
  return time.replace(/\.0+Z$/, 'Z').replace(/(\.\d+?)0+Z$/, '$1Z');
}
