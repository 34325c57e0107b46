// Builds the page that Remotion renders. Arguments: folder with public files, folder to write.
import { bundle } from '@remotion/bundler';
import { resolve } from 'node:path';

const [, , publicDir, outDir] = process.argv;
await bundle({ entryPoint: resolve('src/index.jsx'), publicDir: resolve(publicDir), outDir: resolve(outDir) });
