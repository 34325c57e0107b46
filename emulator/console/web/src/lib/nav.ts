import type { Component } from 'svelte';
import type { IconName } from '../components/Icon.svelte';

export type Page = { id: string; title: string; icon: IconName; key: string; load: () => Promise<{ default: Component }> };

// pages are the pages of the console, in the order of the menu. Each is loaded when it is opened; key follows g.
export const pages: Page[] = [
  { id: 'overview', title: 'Overview', icon: 'overview', key: 'o', load: () => import('../pages/Overview.svelte') },
  { id: 'recordings', title: 'Recordings', icon: 'recordings', key: 'r', load: () => import('../pages/Recordings.svelte') },
  { id: 'requests', title: 'Requests', icon: 'requests', key: 'q', load: () => import('../pages/Requests.svelte') },
  { id: 'jobs', title: 'Jobs', icon: 'jobs', key: 'j', load: () => import('../pages/Jobs.svelte') },
  { id: 'webhooks', title: 'Webhooks', icon: 'webhooks', key: 'w', load: () => import('../pages/Webhooks.svelte') },
  { id: 'clock', title: 'Clock', icon: 'clock', key: 'c', load: () => import('../pages/Clock.svelte') },
  { id: 'faults', title: 'Faults', icon: 'faults', key: 'f', load: () => import('../pages/Faults.svelte') },
  { id: 'worlds', title: 'Worlds', icon: 'worlds', key: 'd', load: () => import('../pages/Worlds.svelte') },
  { id: 'reference', title: 'Reference', icon: 'reference', key: 'e', load: () => import('../pages/Reference.svelte') },
];
