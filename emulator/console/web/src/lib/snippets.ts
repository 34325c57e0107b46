// A request as code that a person can paste: curl, Go, TypeScript, and Python.
export type Sent = { method: string; url: string; headers: [string, string][]; body: string };

export const languages = ['curl', 'Go', 'TypeScript', 'Python'] as const;
export type Language = (typeof languages)[number];

// Headers that the tools set themselves.
const implied = /^(host|content-length|connection|accept-encoding|user-agent|accept|origin|referer|sec-.*|x-soundstage-observer|accept-language|cache-control|pragma)$/i;

const shell = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
const quoted = (text: string) => JSON.stringify(text);

export function snippet(language: Language, sent: Sent): string {
  const headers = sent.headers.filter(([name]) => !implied.test(name));
  switch (language) {
    case 'curl':
      return [
        `curl ${sent.method === 'GET' || (sent.method === 'POST' && sent.body) ? '' : `-X ${sent.method} `}${shell(sent.url)}`,
        ...headers.map(([name, value]) => `  -H ${shell(`${name}: ${value}`)}`),
        ...(sent.body ? [`  --data-binary ${shell(sent.body)}`] : []),
      ].join(' \\\n');
    case 'Go':
      return [
        `req, err := http.NewRequest(${quoted(sent.method)}, ${quoted(sent.url)}, ${sent.body ? `strings.NewReader(${goString(sent.body)})` : 'nil'})`,
        'if err != nil {',
        '\treturn err',
        '}',
        ...headers.map(([name, value]) => `req.Header.Set(${quoted(name)}, ${quoted(value)})`),
        'resp, err := http.DefaultClient.Do(req)',
      ].join('\n');
    case 'TypeScript':
      return [
        `const response = await fetch(${quoted(sent.url)}, {`,
        `  method: ${quoted(sent.method)},`,
        ...(headers.length ? ['  headers: {', ...headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`), '  },'] : []),
        ...(sent.body ? [`  body: ${quoted(sent.body)},`] : []),
        '});',
      ].join('\n');
    case 'Python':
      return [
        'import requests',
        '',
        'response = requests.request(',
        `    ${quoted(sent.method)},`,
        `    ${quoted(sent.url)},`,
        ...(headers.length ? [`    headers={${headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`).join(', ')}},`] : []),
        ...(sent.body ? [`    data=${quoted(sent.body)}.encode(),`] : []),
        ')',
      ].join('\n');
  }
}

function goString(text: string): string {
  return text.includes('`') ? quoted(text) : `\`${text}\``;
}
