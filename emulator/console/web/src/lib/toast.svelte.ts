import { asProblem } from './problem';

export type Toast = { id: number; text: string; hint: string; tone: 'ok' | 'bad' };

class Toasts {
  list = $state<Toast[]>([]);
  private next = 1;

  say(text: string): void {
    this.add({ text, hint: '', tone: 'ok' }, 4000);
  }

  fail(err: unknown): void {
    const problem = asProblem(err);
    this.add({ text: problem.message, hint: problem.hint, tone: 'bad' }, 12_000);
  }

  drop(id: number): void {
    this.list = this.list.filter((t) => t.id !== id);
  }

  private add(toast: Omit<Toast, 'id'>, ms: number): void {
    const id = this.next++;
    this.list = [...this.list.slice(-3), { ...toast, id }];
    setTimeout(() => this.drop(id), ms);
  }
}

export const toasts = new Toasts();

// attempt runs what a person asked for and shows what went wrong. It reports whether it worked.
export async function attempt(work: () => Promise<unknown>, done = ''): Promise<boolean> {
  try {
    await work();
    if (done) toasts.say(done);
    return true;
  } catch (err) {
    toasts.fail(err);
    return false;
  }
}
