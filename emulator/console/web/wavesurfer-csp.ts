import type { Plugin } from 'vite';

// The policy of the console allows no inline style. wavesurfer.js writes one <style> into its shadow root; this moves it into a constructed
// style sheet. The build fails if a new version of wavesurfer.js no longer has that element.
export function wavesurferWithoutInlineStyle(): Plugin {
  return {
    name: 'wavesurfer-without-inline-style',
    transform(code, id) {
      if (!id.includes('wavesurfer.js/dist/renderer.js')) return null;
      const style = /<style\$\{cspNonce[\s\S]*?: ''\}>([\s\S]*?)<\/style>/.exec(code);
      const end = 'return [div, shadow];';
      if (!style || !code.includes(end)) this.error('wavesurfer.js has changed: find its inline style again');
      const sheet = `const sheet = new CSSStyleSheet(); sheet.replaceSync(\`${style[1]}\`); shadow.adoptedStyleSheets = [sheet]; ${end}`;
      return { code: code.replace(style[0], '').replace(end, sheet), map: null };
    },
  };
}
