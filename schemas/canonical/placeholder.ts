// Debezium's mark for a value that was not in the log (TOAST, LOB), in each form that a column's type gives it.
// Recognised on the bytes; what it means is decided by who reads the row (ruling 30).
import crypto from 'node:crypto';

export interface Placeholder {
  /** Length in bytes of its shortest text: most values are shorter and need no look. */
  readonly shortest: number;
  /** Is the string content b[from, to), escapes not resolved, the placeholder: as text, base64, hexadecimal, or JSON of a map? */
  isText(b: Buffer, from: number, to: number): boolean;
  /** Is the scanned array or object b[from, to) the placeholder of an array or a map? */
  isNested(b: Buffer, from: number, to: number): boolean;
}

export function createPlaceholder(setting: string): Placeholder {
  const bytes = setting.startsWith('hex:') ? Buffer.from(setting.slice(4), 'hex') : Buffer.from(setting);
  const text = JSON.stringify(bytes.toString()).slice(1, -1);
  const base64 = bytes.toString('base64');
  const texts = [text, base64, bytes.toString('hex'), JSON.stringify(JSON.stringify({ [setting]: setting })).slice(1, -1)];
  const nested = [`["${text}"]`, `["${base64}"]`, JSON.stringify([...bytes]), `["${nameUuid(bytes)}"]`, `{"${text}":"${text}"}`];
  return { shortest: Buffer.byteLength(text), isText: matcher(texts), isNested: matcher(nested) };
}

function matcher(forms: readonly string[]): (b: Buffer, from: number, to: number) => boolean {
  const spelled = forms.map((form) => Buffer.from(form));
  return (b, from, to) => {
    for (let i = 0; i < spelled.length; i++) if (spelled[i].length === to - from && equalAt(b, from, spelled[i])) return true;
    return false;
  };
}

function equalAt(b: Buffer, from: number, form: Buffer): boolean {
  for (let i = 0; i < form.length; i++) if (b[from + i] !== form[i]) return false;
  return true;
}

/** Java's UUID.nameUUIDFromBytes, which stands for the placeholder in a uuid[]. */
function nameUuid(bytes: Buffer): string {
  const hash = crypto.hash('md5', bytes, 'buffer');
  hash[6] = (hash[6] & 0x0f) | 0x30;
  hash[8] = (hash[8] & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
