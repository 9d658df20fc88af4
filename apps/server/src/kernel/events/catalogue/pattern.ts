/**
 * Patterns of channels, for sockets and handlers alike: whole segments and a `*` at the end (`*`, `risk.*`,
 * `risk.score.*`). Tested in pattern.test.ts.
 */
const patternForm = /^(?:[a-z0-9_]+\.){0,2}\*$/
const nameForm = /^[a-z0-9_]+(?:\.[a-z0-9_]+)+$/

export function isPattern(name: string): boolean {
  return patternForm.test(name)
}

export function isChannelName(name: string): boolean {
  return nameForm.test(name)
}

/** Whether a name or pattern covers a channel. */
export function matches(name: string, channel: string): boolean {
  if (!isPattern(name)) return name === channel
  return channel.startsWith(name.slice(0, -1))
}
