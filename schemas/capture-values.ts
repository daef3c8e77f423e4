// The values of a capture line's fields: what each may be, and where it is put.
import { fail, skipNull, skipValue } from './capture-json.ts';
import { HEADERS, KEY, KEY_BASE64, OFFSET, PARTITION, TIMESTAMP, TOPIC, VALUE, VALUE_BASE64 } from './capture-fields.ts';
import type { CaptureLine } from './capture-line.ts';
import { decodeBase64, readLongString, readString } from './capture-text.ts';

/** Reads the value of a field at `at` into the line; the index after it, or -1. */
export function readField(line: CaptureLine, data: Buffer, at: number, field: number): number {
  switch (field) {
    case KEY:
    case VALUE:
    case KEY_BASE64:
    case VALUE_BASE64: return readBytes(line, data, at, field);
    case TOPIC: return readTopic(line, data, at);
    case PARTITION:
    case OFFSET:
    case TIMESTAMP: return readInteger(line, data, at, field);
    case HEADERS: return readHeaders(line, data, at);
    default: return skipValue(line, data, at, 0);
  }
}

/** Key or value, as text or Base64. Both for one field is an error; null beside the other is not. */
function readBytes(line: CaptureLine, data: Buffer, at: number, field: number): number {
  const nullEnd = skipNull(data, at);
  if (nullEnd > 0) return nullEnd;
  const isKey = field === KEY || field === KEY_BASE64;
  if ((isKey ? line.keyStart : line.valueStart) >= 0) return fail(line, at, isKey ? 'it has two keys' : 'it has two values');
  if (data[at] !== 0x22) return fail(line, at, `the ${isKey ? 'key' : 'value'} is neither a string nor null`);
  const end = readLongString(line, data, at);
  if (end < 0) return -1;
  if ((field === KEY_BASE64 || field === VALUE_BASE64) && !decodeBase64(line, data)) return fail(line, at, 'not Base64');
  if (isKey) {
    line.keyStart = line.textStart;
    line.keyEnd = line.textEnd;
  } else {
    line.valueStart = line.textStart;
    line.valueEnd = line.textEnd;
  }
  return end;
}

function readTopic(line: CaptureLine, data: Buffer, at: number): number {
  const nullEnd = skipNull(data, at);
  if (nullEnd > 0) return nullEnd;
  const end = readString(line, data, at);
  if (end < 0) return fail(line, at, 'the topic is not a string');
  line.topicStart = line.textStart;
  line.topicEnd = line.textEnd;
  return end;
}

/** A whole number that a double holds exactly. Only a timestamp may be negative (-1: none), or null. */
function readInteger(line: CaptureLine, data: Buffer, at: number, field: number): number {
  if (field === TIMESTAMP) {
    const nullEnd = skipNull(data, at);
    if (nullEnd > 0) return nullEnd;
  }
  const negative = field === TIMESTAMP && data[at] === 0x2d;
  const first = negative ? at + 1 : at;
  let p = first;
  let value = 0;
  for (let c = data[p]; c >= 0x30 && c <= 0x39; c = data[++p]) value = value * 10 + (c - 0x30);
  const delimited = data[p] === 0x2c || data[p] === 0x7d || data[p] === 0x20 || data[p] === 0x09 || data[p] === 0x0d;
  if (p === first || !delimited || value > Number.MAX_SAFE_INTEGER || (data[first] === 0x30 && p > first + 1)) {
    return fail(line, at, `the ${field === OFFSET ? 'offset' : field === PARTITION ? 'partition' : 'timestamp'} is not a whole number`);
  }
  if (field === OFFSET) line.offset = value;
  else if (field === PARTITION) line.partition = value;
  else line.timestampMs = negative ? -value : value;
  return p;
}

/** `[["k","v"],…]`, or flat as kcat prints it: `["k","v",…]`. What is in it is read only when a header is asked for. */
function readHeaders(line: CaptureLine, data: Buffer, at: number): number {
  const nullEnd = skipNull(data, at);
  if (nullEnd > 0) return nullEnd;
  if (data[at] !== 0x5b) return fail(line, at, 'the headers are not a list');
  line.headersStart = at;
  line.headersEnd = skipValue(line, data, at, 0);
  return line.headersEnd;
}
