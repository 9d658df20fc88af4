/** Entry of a thread of the server: beside this file in the source tree, beside the bundle after a build. */
export const threadEntry = new URL(import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.mjs', import.meta.url)
