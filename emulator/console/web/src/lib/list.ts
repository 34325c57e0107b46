// append adds a page to the end of a list, without the items that the list has.
export function append<T>(list: readonly T[], page: readonly T[], key: (item: T) => string | number): T[] {
  const known = new Set(list.map(key));
  return [...list, ...page.filter((item) => !known.has(key(item)))];
}

// upsert puts an item at its place in a list that has the newest first: it replaces the one of its key, or comes first.
export function upsert<T>(list: readonly T[], items: T[], key: (item: T) => string | number, max = 2000): T[] {
  const fresh = new Map(items.map((item) => [key(item), item]));
  const kept = list.map((item) => {
    const k = key(item);
    const newer = fresh.get(k);
    if (newer === undefined) return item;
    fresh.delete(k);
    return newer;
  });
  return [...[...fresh.values()].reverse(), ...kept].slice(0, max);
}
