/**
 * Printable texts that stand in base64 within a text. Promises to read runs of up to 4,096 characters, each once, and
 * hardly to look at text that holds none. Tested through secrets/find-secrets.test.ts and pii/respelled.test.ts.
 */
import { isAlphanumeric } from '../../base/matcher.ts'
import { decodeBase64, utf8Text } from './base64.ts'

const longestRun = 4096

export interface Base64Text {
  readonly text: string
  /** Of the run, padding included. */
  readonly start: number
  readonly end: number
}

/** Calls back for each run of at least `shortest` characters that begins at or after `from`. */
export function eachBase64Text(
  text: string,
  { from, shortest }: { readonly from: number; readonly shortest: number },
  visit: (found: Base64Text) => void,
): void {
  // Every run covers a multiple of the shortest length, so most of the text is never looked at.
  for (let probe = from; probe < text.length; probe += shortest) {
    if (!isBase64Unit(text.charCodeAt(probe))) continue
    const start = runStart(text, probe, shortest)
    const end = runEnd(text, probe)
    probe = end
    // A run that goes on before its start began before `from`, or it would have been met by an earlier probe.
    if (start < from || isBase64Unit(text.charCodeAt(start - 1))) continue
    if (end - start < shortest || end - start > longestRun) continue
    const inner = innerText(text.slice(start, end))
    if (inner !== undefined) visit({ text: inner, start, end })
  }
}

function isBase64Unit(code: number): boolean {
  return isAlphanumeric(code) || code === 43 || code === 47 || code === 45 || code === 95
}

function runStart(text: string, at: number, shortest: number): number {
  let start = at
  while (start > 0 && at - start < shortest && isBase64Unit(text.charCodeAt(start - 1))) start -= 1
  return start
}

function runEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && isBase64Unit(text.charCodeAt(end))) end += 1
  const unpadded = end
  while (end < unpadded + 2 && text[end] === '=') end += 1
  return end
}

function innerText(run: string): string | undefined {
  if (!isAsciiStart(run) || !isPrintable(run.slice(0, 32))) return undefined
  const bytes = decodeBase64(run)
  const inner = bytes && utf8Text(bytes)
  return inner !== undefined && isPrintableText(inner) ? inner : undefined
}

// Sixth bits of the beginning of ASCII text: a first byte below 128 and a second one below 128.
const asciiFirst = /^[A-Za-f][A-HQ-Xg-nw-z0-3]/

const isAsciiStart = (run: string): boolean => asciiFirst.test(run)

/** Most runs are words, paths, keys or images; their first bytes show it. */
function isPrintable(head: string): boolean {
  const bytes = decodeBase64(head)
  return bytes?.every((byte) => byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte !== 127)) ?? false
}

const isPrintableText = (text: string): boolean => {
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 127) return false
  }
  return true
}
