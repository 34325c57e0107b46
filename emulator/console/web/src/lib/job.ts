import type { Control } from '../api/client';

export type Job = Control['Job'];
export const statuses: Job['status'][] = ['queued', 'running', 'retrying', 'completed', 'failed', 'canceled'];
export const classes: Job['class'][] = ['transcribe', 'import', 'generate', 'render', 'deliver', 'maintain'];

// over says whether nothing more happens to a job.
export const over = (job: Job): boolean => ['completed', 'failed', 'canceled'].includes(job.status);
