import { mount } from 'svelte';
import type { Transcript } from './flat';
import Page from './Page.svelte';

// Data is what the page shows: JSON in the element "data". README.md says how a program writes it.
export type Data = {
  title: string;
  media: { src: string; video: boolean };
  peaks?: number[];
  transcript: Transcript;
};

const data = JSON.parse(document.getElementById('data')?.textContent ?? '{}') as Partial<Data>;
mount(Page, { target: document.getElementById('app')!, props: { data } });
