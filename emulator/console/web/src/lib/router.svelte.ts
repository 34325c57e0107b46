// The address is #/PAGE/ID?world=NAME&…, so that every state has a link, and the server serves one page only.
import { session } from './session.svelte';

class Route {
  page = $state('overview');
  id = $state('');
  query = $state.raw(new URLSearchParams());

  constructor() {
    this.read();
    addEventListener('hashchange', () => this.read());
  }

  private seen: string | undefined;

  private read(): void {
    if (location.hash === this.seen) return;
    this.seen = location.hash;
    const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2);
    const [page = '', ...id] = path.split('/');
    this.page = page || 'overview';
    this.id = decode(id.join('/'));
    this.query = new URLSearchParams(query);
    session.world = this.query.get('world') || 'default';
  }

  // idOf returns the ID in the address of a page, and "" while another page is shown.
  idOf(page: string): string {
    return this.page === page ? this.id : '';
  }

  // link returns the address of a page in the current world.
  link(page: string, id = '', query: Record<string, string> = {}): string {
    const params = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
    if (session.world !== 'default' && !params.has('world')) params.set('world', session.world);
    const search = params.toString();
    return `#/${page}${id ? `/${encodeURIComponent(id)}` : ''}${search ? `?${search}` : ''}`;
  }

  // go opens a page at once: the browser tells of the new address only later, when a person may have clicked on what was shown before.
  go(page: string, id = '', query: Record<string, string> = {}): void {
    location.hash = this.link(page, id, query);
    this.read();
  }

  // set changes parameters of the address without an entry in the history.
  set(query: Record<string, string>): void {
    const params = Object.fromEntries(this.query);
    history.replaceState(null, '', this.link(this.page, this.id, { ...params, ...query }));
    this.read();
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a % that encodes nothing
  }
}

export const route = new Route();
