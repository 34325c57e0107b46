import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { wavesurferWithoutInlineStyle } from './wavesurfer-csp.ts';

const sandbox = process.env.SOUNDSTAGE_URL ?? 'http://127.0.0.1:8765';

// base is where the sandbox serves the console. In the built files, all paths are relative.
export default defineConfig(({ command }) => ({
  base: command === 'serve' ? '/_soundstage/console/' : './',
  plugins: [svelte(), wavesurferWithoutInlineStyle()],
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0, // the policy allows no data: scripts, and hashed files are cached for ever
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    chunkSizeWarningLimit: 200,
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(
      ['^/_soundstage/(?!console/)', '^/v1/', '^/storage/', '^/openapi.yaml'].map((path) => [path, { target: sandbox, changeOrigin: true }]),
    ),
  },
}));
