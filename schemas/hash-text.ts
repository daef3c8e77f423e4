// Hashes of text: ids and chain links of records.
import { hash } from 'node:crypto';

/** Ids and chain hashes: SHA-256 over a domain word and length-prefixed parts, so that no two lists of parts give the same bytes. Hex. */
export function hashText(domain: string, ...parts: readonly string[]): string {
  const text = [domain, ...parts].map(part => `${Buffer.byteLength(part)}:${part}`).join('');
  return hash('sha256', text, 'hex');
}
