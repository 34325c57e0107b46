// Keys of the whole page. A key does nothing while a person writes, and nothing with a modifier.
type Handler = (event: KeyboardEvent) => boolean | void;

const stack: Map<string, Handler>[] = [];

export function isWriting(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isWriting(event.target)) return;
  if (document.querySelector('dialog[open]')) return;
  // Space and Enter belong to the button that has the focus.
  if ((event.key === ' ' || event.key === 'Enter') && event.target instanceof Element && event.target.closest('button,a,summary,[role=option]')) return;
  for (let i = stack.length - 1; i >= 0; i--) {
    const handler = stack[i]!.get(event.key);
    if (handler && handler(event) !== false) {
      event.preventDefault();
      return;
    }
  }
});

// keys handles keys until the returned function is called. The newest handlers come first.
export function keys(handlers: Record<string, Handler>): () => void {
  const map = new Map(Object.entries(handlers));
  stack.push(map);
  return () => {
    const at = stack.indexOf(map);
    if (at >= 0) stack.splice(at, 1);
  };
}

// within is the longest time between g and the key of a page, in milliseconds. It is the time between the two events, not the time until the page gets to them: a page that is busy loses no key.
const within = 1200;

// leaving returns the handler of g: it waits for the key of a page, before the keys of the page itself, and calls what belongs to the key.
export function leaving(places: () => Record<string, () => void>): Handler {
  return (first) => {
    const end = keys(
      Object.fromEntries(
        Object.entries(places()).map(([key, go]) => [
          key,
          (second) => {
            end();
            if (second.timeStamp - first.timeStamp > within) return false;
            go();
          },
        ]),
      ),
    );
  };
}
