/**
 * Secrets inside base64: the run is reported, with `via`, when its text holds a secret.
 * Promises to read runs of 24 to 4,096 characters and to decode each once. Tested in find-secrets.test.ts.
 */
import type { Finding } from '../finding.ts'
import { isAlphanumeric, type Matcher } from '../matcher.ts'
import { decodeBase64, utf8Text } from '../text/base64.ts'
import { triggered } from './trigger-scan.ts'

const minRun = 24
const maxRun = 4096
/** A guess below this, made on decoded text, is not worth a finding. */
const minInner = 0.7

export const wrapped: Matcher = {
  types: ['connection_string'],
  marked: true,
  collect: (text, from, found) => {
    // Every run of 24 covers a multiple of 24, so most of the text is never looked at.
    for (let probe = from; probe < text.length; probe += minRun) {
      if (!isBase64Unit(text.charCodeAt(probe))) continue
      const start = runStart(text, probe)
      const end = runEnd(text, probe)
      // A run that goes on before its start began before `from`, or it would have been met by an earlier probe.
      const inner = start < from || isBase64Unit(text.charCodeAt(start - 1)) ? undefined : innerSecret(text, start, end)
      if (inner) found.push(inner)
      probe = end
    }
  },
}

function isBase64Unit(code: number): boolean {
  return isAlphanumeric(code) || code === 43 || code === 47 || code === 45 || code === 95
}

function runStart(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start < minRun && isBase64Unit(text.charCodeAt(start - 1))) start -= 1
  return start
}

function runEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && isBase64Unit(text.charCodeAt(end))) end += 1
  const unpadded = end
  while (end < unpadded + 2 && text[end] === '=') end += 1
  return end
}

function innerSecret(text: string, start: number, end: number): Finding | undefined {
  if (end - start < minRun || end - start > maxRun) return undefined
  const run = text.slice(start, end)
  if (!isAsciiStart(run) || !isPrintable(run.slice(0, 32))) return undefined
  const bytes = decodeBase64(run)
  const inner = bytes && utf8Text(bytes)
  if (inner === undefined || !isPrintableText(inner)) return undefined
  const best = secretIn(inner)
  return best && { ...best, start, end, via: ['base64'] }
}

/** The surest secret of a decoded text. */
export function secretIn(text: string): Finding | undefined {
  const found: Finding[] = []
  triggered.collect(text, 0, found)
  return found
    .filter(({ score }) => score >= minInner)
    .reduce<Finding | undefined>((best, each) => (best && best.score >= each.score ? best : each), undefined)
}

// Sixth bits of what ASCII text begins with: a first byte below 128 and a second one below 128.
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
