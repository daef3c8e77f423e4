// A .properties file as Java reads it: `key=value`, `key: value`, `key value`; # and ! begin comments; a backslash continues a line and
// escapes. librdkafka's files (`key=value`) are a part of that.

export function parseProperties(text: string): Map<string, string> {
  const properties = new Map<string, string>();
  const lines = text.split(/\r\n|\r|\n/);
  for (let n = 0; n < lines.length; n++) {
    let line = lines[n].trimStart();
    if (line === '' || line.startsWith('#') || line.startsWith('!')) continue;
    while (/(?:^|[^\\])(?:\\\\)*\\$/.test(line) && n + 1 < lines.length) line = line.slice(0, -1) + lines[++n].trimStart();
    const [, key, value] = /^((?:\\.|[^\\=:\s])*)\s*[=:]?\s*(.*)$/s.exec(line) ?? ['', line, ''];
    properties.set(unescape(key), unescape(value));
  }
  return properties;
}

const ESCAPES: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r', f: '\f' };

function unescape(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.)|$)/gs, (_, code?: string, char?: string) =>
    code !== undefined ? String.fromCharCode(parseInt(code, 16)) : char === undefined ? '' : ESCAPES[char] ?? char);
}
