/** Entry of the unpacking thread: beside this file in the source tree, beside the bundle after a build. */
export const unpackEntry = new URL(
  import.meta.url.endsWith('.ts') ? './room/thread.ts' : './unpack-thread.mjs',
  import.meta.url,
)
