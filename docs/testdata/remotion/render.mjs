// Renders the clip with Remotion. Arguments: built page, captions, file to write, browser.
import { renderMedia, selectComposition } from '@remotion/renderer';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [, , serveUrl, captions, outputLocation, browserExecutable] = process.argv;
const inputProps = { captions: JSON.parse(readFileSync(captions)), seconds: 12 };
const page = { serveUrl: resolve(serveUrl), browserExecutable, inputProps, chromeMode: 'chrome-for-testing' };
const composition = await selectComposition({ ...page, id: 'clip' });
await renderMedia({ ...page, composition, codec: 'h264', outputLocation: resolve(outputLocation) });
