import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';
import { wavesurferWithoutInlineStyle } from './wavesurfer-csp.ts';

// oneFile writes the script and the style into the page, so that it works alone, also from a folder (file:).
function oneFile(): Plugin {
  return {
    name: 'one-file',
    // Vite completes the code in this step, too.
    generateBundle: { order: 'post', handler(_, bundle) {
      const page = bundle['player.html'];
      if (page?.type !== 'asset') this.error('there is no player.html');
      let html = String(page.source);
      for (const [name, file] of Object.entries(bundle)) {
        if (file === page) continue;
        const text = file.type === 'chunk' ? file.code : String(file.source);
        const tag =
          file.type === 'chunk'
            ? new RegExp(`\\s*<script[^>]*src="[^"]*${name}"[^>]*></script>`)
            : new RegExp(`\\s*<link[^>]*href="[^"]*${name}"[^>]*>`);
        if (!tag.test(html)) this.error(`player.html does not refer to ${name}`);
        html = html.replace(tag, '');
        // A module runs after the document was parsed, and "</script" would end it.
        const inlined = file.type === 'chunk' ? `<script type="module">${text.replaceAll('</script', '<\\/script')}</script>` : `<style>${text}</style>`;
        html = html.replace(file.type === 'chunk' ? '</body>' : '</head>', () => `${inlined}\n${file.type === 'chunk' ? '  </body>' : '  </head>'}`);
        delete bundle[name];
      }
      page.source = html;
    } },
  };
}

export default defineConfig({
  base: './',
  plugins: [svelte(), wavesurferWithoutInlineStyle(), oneFile()],
  build: {
    outDir: '../dist',
    emptyOutDir: false, // the console is there
    target: 'es2022',
    cssCodeSplit: false,
    modulePreload: false,
    rolldownOptions: { input: 'player.html', output: { codeSplitting: false } },
  },
});
