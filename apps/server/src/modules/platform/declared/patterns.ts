/** Patterns of channels, as sockets and handlers have them: whole segments and a `*` at the end. Pure. Tested in patterns.test.ts. */

export function hears(patterns: readonly string[], channel: string): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith('*') ? channel.startsWith(pattern.slice(0, -1)) : pattern === channel,
  )
}

/** For `like`: everything is taken literally but the `*` at the end. */
export function likePattern(pattern: string): string {
  const literal = pattern.replace(/\*$/, '').replaceAll(/[\\%_]/g, (char) => `\\${char}`)
  return pattern.endsWith('*') ? `${literal}%` : literal
}
