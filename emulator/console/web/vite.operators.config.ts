import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// The console of a node is a page of its own: it has other data, and no stream.
export default defineConfig({
  base: './',
  plugins: [svelte()],
  build: {
    outDir: '../dist',
    emptyOutDir: false, // the console is there
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: false,
    rolldownOptions: { input: 'operators.html' },
  },
});
