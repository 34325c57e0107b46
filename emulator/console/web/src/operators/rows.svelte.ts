// Rows of a list of the node: the newest ones are loaded again and again while the page is visible.
import { asProblem, type Problem } from '../lib/problem';
import { send } from './api';

const every = 2000; // ms

// A list of SQLite reads all rows of the database. A slow list is loaded less often, so that a page takes at most a tenth of its time.
const share = 10;

type Page = { next?: string } & Record<string, unknown>;

export class Rows<R extends { id: string; created_at: string }> {
  list = $state.raw<R[]>([]);
  next = $state('');
  problem = $state.raw<Problem | null>(null);
  loaded = $state(false);
  private more = false;
  private run = 0;

  constructor(
    private readonly noun: string,
    private readonly query: () => Record<string, string>,
  ) {}

  // watch loads the list until the returned function is called.
  watch(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const run = ++this.run;
    this.more = false;
    this.loaded = false;
    const again = async () => {
      clearTimeout(timer);
      if (document.hidden || run !== this.run) return;
      const began = performance.now();
      await this.refresh(run);
      clearTimeout(timer);
      if (run === this.run) timer = setTimeout(() => void again(), Math.max(every, share * (performance.now() - began)));
    };
    const shown = () => void again();
    document.addEventListener('visibilitychange', shown);
    void again();
    return () => {
      this.run++;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', shown);
    };
  }

  async refresh(run = this.run): Promise<void> {
    try {
      const page = await this.page({});
      if (run !== this.run) return;
      const rows = page[this.noun] as R[];
      const last = rows.at(-1);
      // Older rows that were loaded before stay. Newer ones that are missing now are gone.
      const older = this.more && last ? this.list.filter((r) => Date.parse(r.created_at) < Date.parse(last.created_at)) : [];
      this.list = [...rows, ...older];
      if (older.length === 0) this.next = page.next ?? '';
      this.problem = null;
    } catch (err) {
      if (run !== this.run) return;
      this.problem = asProblem(err);
    }
    this.loaded = true;
  }

  async loadMore(): Promise<void> {
    const run = this.run;
    try {
      const page = await this.page({ after: this.next });
      if (run !== this.run) return;
      const known = new Set(this.list.map((r) => r.id));
      this.more = true;
      this.list = [...this.list, ...(page[this.noun] as R[]).filter((r) => !known.has(r.id))];
      this.next = page.next ?? '';
      this.problem = null;
    } catch (err) {
      this.problem = asProblem(err);
    }
  }

  private page(also: Record<string, string>): Promise<Page> {
    const query = Object.entries({ ...this.query(), ...also, limit: '50' }).filter(([, value]) => value !== '');
    return send<Page>(`${this.noun}?${new URLSearchParams(query)}`);
  }
}
