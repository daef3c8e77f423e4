// What a canonical value is. Two values are equal exactly when tag and bytes are, whatever engine or connector they came from.

export const TAG = {
  null: 0,
  /** Decimal text without superfluous zeros; booleans are 1 and 0 (an engine without booleans has only those). */
  number: 1,
  /** UTF-8. Also enumerations and UUIDs (lower case): engines without such types hold them as text. */
  text: 2,
  bytes: 3,
  /** Microseconds since the epoch as decimal text (a fraction where there are nanoseconds), or `infinity`, `-infinity`. */
  time: 4,
  /** Days since the epoch as decimal text, or `infinity`, `-infinity`. */
  date: 5,
  /** A time of day or a duration: microseconds as decimal text. May be negative or above a day. */
  duration: 6,
  /** JSON text: members sorted, numbers normalised, no white space. */
  json: 7,
  /** Elements one behind the other: tag, length (varint), bytes. */
  array: 8,
  /** Members sorted and joined by commas. */
  set: 9,
  /** Zeros and ones, most significant first. */
  bits: 10,
  /** 16 hex digits of the keyed hash of a value that must not be seen. */
  masked: 11,
  /** The placeholder, stored as a value (ruling 30). Equal to nothing. */
  placeholder: 12,
} as const;
export type Tag = (typeof TAG)[keyof typeof TAG];

/** In place of a tag: the value is there but cannot be known. */
export const UNAVAILABLE = -1;
