// What both scenarios share.
import assert from "node:assert/strict";

export const env = (name: string): string => {
  const value = process.env[name];
  assert(value, `${name} is not set`);
  return value;
};

export const contentType = "audio/mp4";

// signed returns the object and the query of a signed URL.
export function signed(address: string): { object_id: string; query: Record<string, string> } {
  const url = new URL(address);
  return { object_id: url.pathname.split("/").pop() ?? "", query: Object.fromEntries(url.searchParams) };
}

// until polls until get returns a value.
export async function until<T>(what: string, poll: () => Promise<T | undefined>): Promise<T> {
  for (const deadline = Date.now() + 90_000; ; ) {
    const got = await poll();
    if (got !== undefined) return got;
    assert(Date.now() < deadline, `${what}: timed out`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// isVideo requires that bytes are an MP4 file.
export async function requireVideo(video: Blob): Promise<void> {
  assert(video.size > 1000, `a video of ${video.size} bytes`);
  assert.equal(await video.slice(4, 8).text(), "ftyp");
}
