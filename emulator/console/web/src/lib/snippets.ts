// A request as code that a person can paste: curl, Go, TypeScript, and Python. The code sends the same bytes.
export type Sent = {
  method: string;
  url: string;
  headers: [string, string][];
  body: string;
  base64?: string; // the body instead, if it is not text
};

export const languages = ['curl', 'Go', 'TypeScript', 'Python'] as const;
export type Language = (typeof languages)[number];

// Headers that the tools set themselves.
const implied = /^(host|content-length|connection|accept-encoding|user-agent|accept|origin|referer|sec-.*|x-soundstage-observer|accept-language|cache-control|pragma)$/i;

const shell = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
const quoted = (text: string) => JSON.stringify(text);

// curlOf leaves nothing to curl's own meaning of its arguments: [1-3] and {a,b} of URLs, and the @ of bodies, which reads a file.
function curlOf({ method, url, body, base64 }: Sent, headers: [string, string][]): string {
  const sends = base64 || body;
  const how = method === 'HEAD' && !sends ? '--head ' : method === (sends ? 'POST' : 'GET') ? '' : `-X ${method} `;
  const lines = [
    `${base64 ? `echo ${shell(base64)} | base64 -d | ` : ''}curl ${how}${/[[\]{}]/.test(url) ? '--globoff ' : ''}${shell(url)}`,
    ...headers.map(([name, value]) => `  -H ${shell(value ? `${name}: ${value}` : `${name};`)}`),
  ];
  if (base64) lines.push('  --data-binary @-');
  else if (body) lines.push(`  --data-${body.startsWith('@') ? 'raw' : 'binary'} ${shell(body)}`);
  return lines.join(' \\\n');
}

export function snippet(language: Language, sent: Sent): string {
  const headers = sent.headers.filter(([name]) => !implied.test(name));
  switch (language) {
    case 'curl':
      return curlOf(sent, headers);
    case 'Go':
      return [
        ...(sent.base64 ? [`body, err := base64.StdEncoding.DecodeString(${quoted(sent.base64)})`, 'if err != nil {', '\treturn err', '}'] : []),
        `req, err := http.NewRequest(${quoted(sent.method)}, ${quoted(sent.url)}, ${sent.base64 ? 'bytes.NewReader(body)' : sent.body ? `strings.NewReader(${goString(sent.body)})` : 'nil'})`,
        'if err != nil {',
        '\treturn err',
        '}',
        ...headers.map(([name, value]) => `req.Header.Add(${quoted(name)}, ${quoted(value)})`),
        'resp, err := http.DefaultClient.Do(req)',
      ].join('\n');
    case 'TypeScript':
      return [
        `const response = await fetch(${quoted(sent.url)}, {`,
        `  method: ${quoted(sent.method)},`,
        ...(headers.length ? ['  headers: {', ...headers.map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`), '  },'] : []),
        ...(sent.base64 ? [`  body: Uint8Array.from(atob(${quoted(sent.base64)}), (c) => c.charCodeAt(0)),`] : sent.body ? [`  body: ${quoted(sent.body)},`] : []),
        '});',
      ].join('\n');
    case 'Python':
      return [
        ...(sent.base64 ? ['import base64'] : []),
        'import requests',
        '',
        'response = requests.request(',
        `    ${quoted(sent.method)},`,
        `    ${quoted(sent.url)},`,
        ...(headers.length ? [`    headers={${headers.map(([name, value]) => `${quoted(name)}: ${quoted(value)}`).join(', ')}},`] : []),
        ...(sent.base64 ? [`    data=base64.b64decode(${quoted(sent.base64)}),`] : sent.body ? [`    data=${quoted(sent.body)}.encode(),`] : []),
        ')',
      ].join('\n');
  }
}

function goString(text: string): string {
  return /[`\r]/.test(text) ? quoted(text) : `\`${text}\``; // a raw string of Go drops carriage returns
}
