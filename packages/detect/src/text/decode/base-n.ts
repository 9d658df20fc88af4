/**
 * Base64, base64url, base32, base85 and plain hexadecimal inside the long runs of a text, wrapped lines included.
 * A run counts only when its bytes are valid text; its first characters are tried before the rest is decoded.
 */
import { decodeBase64 } from '../bytes/base64.ts'
import { type Budget, isSpent, spend } from '../view/budget.ts'
import { decodeBase85 } from './base85.ts'
import { maxBytes, mayBeText, textOfBytes } from './bytes.ts'
import { type Candidate, wholeRun } from './candidate.ts'
import type { Region } from './tokens.ts'

/** Every readable run of the regions; stops where the budget ends. */
export function decodeRuns(text: string, regions: readonly Region[], budget: Budget): Candidate[] {
  const found: Candidate[] = []
  const block: Block = { end: 0, tries: 0 }
  let done = 0
  for (const region of regions) {
    if (region.start < done) continue
    const before = found.length
    for (const run of alphabetRuns(text, region)) {
      if (run.start < done || !isMixed(text, run)) continue
      if (!spend(budget, 8)) return found
      const candidate = decodeRun(text, run, { budget, block })
      if (!candidate) continue
      found.push(candidate)
      done = candidate.map(0, 0).end
    }
    const wide = found.length === before ? decodeWide(text, region, budget) : undefined
    if (wide) found.push(wide)
    if (isSpent(budget)) return found
  }
  return found
}

/** Encoded runs cut into groups of one length: `V2F0 ZXIg dGhl`, with or without what was left over. */
export function decodeGroups(text: string, regions: readonly Region[], budget: Budget): Candidate[] {
  const found: Candidate[] = []
  for (const region of regions) {
    const whole = text.slice(region.start, region.end)
    if (!/^[A-Za-z0-9+/=_\s-]+$/.test(whole) || !isMixed(text, region)) continue
    if (!spend(budget, 8)) break
    const tail = whole.length - (/(?<!\S)\S+$/.exec(whole.slice(-16))?.[0].length ?? 0)
    for (const end of [whole.length, tail]) {
      const decoded = decodeBody(whole.slice(0, end), budget)
      if (!decoded) continue
      found.push(wholeRun(decoded.name, decoded.text, { start: region.start, end: region.start + end }))
      break
    }
  }
  return found
}

const minLength = 16

/** Stretches of the base64 alphabets of 16 characters or more inside a region. */
function alphabetRuns(text: string, { start, end }: Region): Region[] {
  const runs: Region[] = []
  for (let i = start; i < end; ) {
    let stop = i
    while (stop < end && isBase64(text.charCodeAt(stop))) stop += 1
    const length = stop - i
    while (stop < end && text.charCodeAt(stop) === 61) stop += 1
    if (length >= minLength) runs.push({ start: i, end: stop })
    i = Math.max(stop, i + 1)
  }
  return runs
}

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isUpper = (code: number): boolean => code >= 65 && code <= 90
const isLower = (code: number): boolean => code >= 97 && code <= 122

const isBase64 = (code: number): boolean =>
  isLower(code) || isUpper(code) || isDigit(code) || code === 43 || code === 45 || code === 47 || code === 95

/** Sixteen letters of one case without a digit are a long word or a path, not an encoding; capitals may be base32. */
function isMixed(text: string, run: Region): boolean {
  let capitals = 0
  for (let i = run.start; i < Math.min(run.end, run.start + 96); i += 1) {
    const code = text.charCodeAt(i)
    if (isDigit(code)) return true
    if (isUpper(code)) capitals += 1
  }
  return capitals > 1
}

/** Lines of one width that were tried together. */
interface Block {
  end: number
  tries: number
}

// A heading may be as wide as the lines below it; a hundred lines that are no encoding are none from the next one on.
const mostTries = 4

function decodeRun(
  text: string,
  run: Region,
  { budget, block }: { readonly budget: Budget; readonly block: Block },
): Candidate | undefined {
  if (run.start >= block.end) block.tries = 0
  const wrapped = block.tries < mostTries ? wrappedEnd(text, run) : run.end
  block.tries += 1
  block.end = Math.max(block.end, wrapped)
  for (const end of wrapped > run.end ? [wrapped, run.end] : [run.end]) {
    const decoded = decodeBody(text.slice(run.start, end), budget)
    if (decoded) return wholeRun(decoded.name, decoded.text, { start: run.start, end })
  }
  return undefined
}

const alphabets = [
  { name: 'hex', shape: /^[0-9a-fA-F]+$/, decode: hexBytes },
  { name: 'base32', shape: /^(?:[A-Z2-7]+|[a-z2-7]+)$/, decode: base32Bytes },
  { name: 'base64', shape: /^[A-Za-z0-9+/_-]+$/, decode: (body: string) => decodeBase64(body) },
]
const probeLength = 64

function decodeBody(raw: string, budget: Budget): { name: string; text: string } | undefined {
  const probe = withoutBreaks(raw.slice(0, probeLength * 4)).slice(0, probeLength)
  let body: string | undefined
  for (const { name, shape, decode } of alphabets) {
    if (!shape.test(probe)) continue
    const head = decode(probe)
    if (!head || !mayBeText(head)) continue
    body ??= withoutBreaks(raw)
    if (!spend(budget, body.length >> 5)) continue
    const bytes = shape.test(body) ? decode(body.slice(0, maxBytes * 2)) : undefined
    const text = bytes && textOfBytes(bytes)
    if (text !== undefined) return { name, text }
  }
  return undefined
}

const withoutBreaks = (raw: string): string =>
  /[^A-Za-z0-9+/_-]/.test(raw) ? raw.replace(/[^A-Za-z0-9+/_-]/g, '') : raw

const maxLines = 4096
// Mail and code indent, quote or bracket wrapped lines; more than a few characters between them is another text.
const maxMargin = 8

/** End of the run together with its further lines: all as long as the first, the last perhaps shorter. */
function wrappedEnd(text: string, run: Region): number {
  const width = run.end - run.start
  let end = run.end
  if (text.charCodeAt(end - 1) === 61) return end
  for (let line = 0; line < maxLines; line += 1) {
    const start = nextLine(text, end)
    let stop = start
    while (stop < text.length && stop - start <= width && isBase64(text.charCodeAt(stop))) stop += 1
    const length = stop - start
    while (stop < text.length && text.charCodeAt(stop) === 61) stop += 1
    if (start === end || length < 1 || length > width) return end
    end = stop
    if (length < width || text.charCodeAt(end - 1) === 61) return end
  }
  return end
}

function nextLine(text: string, from: number): number {
  let at = from
  let isBroken = false
  while (at < text.length && at - from < maxMargin && !isBase64(text.charCodeAt(at))) {
    const code = text.charCodeAt(at)
    if (code === 10 || code === 13 || code === 32) isBroken = true
    else if (!'\t>|"\'\\`,*'.includes(text.charAt(at))) return from
    at += 1
  }
  return isBroken && at - from < maxMargin ? at : from
}

function hexBytes(body: string): Uint8Array {
  const bytes = new Uint8Array(body.length >> 1)
  for (let i = 0; i < bytes.length; i += 1)
    bytes[i] = (nibble(body.charCodeAt(i * 2)) << 4) | nibble(body.charCodeAt(i * 2 + 1))
  return bytes
}

const nibble = (code: number): number => (isDigit(code) ? code - 48 : (code & 0xdf) - 55)

function base32Bytes(body: string): Uint8Array {
  const bytes = new Uint8Array(Math.floor((body.length * 5) / 8))
  let held = 0
  let bits = 0
  let length = 0
  for (let i = 0; i < body.length && length < bytes.length; i += 1) {
    const code = body.charCodeAt(i)
    held = ((held << 5) | (isDigit(code) ? code - 24 : (code & 0xdf) - 65)) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes[length] = (held >> bits) & 0xff
    length += 1
  }
  return bytes
}

/** Encodings whose alphabet takes most of ASCII: tried on the region as a whole. */
function decodeWide(text: string, region: Region, budget: Budget): Candidate | undefined {
  const body = text.slice(region.start, Math.min(region.end, region.start + maxBytes))
  if (!isDiverse(body)) return undefined
  for (const ascii of [true, false]) {
    const head = decodeBase85(body.slice(0, probeLength + 1), ascii)
    if (!head || !mayBeText(head) || !spend(budget, body.length >> 3)) continue
    const bytes = decodeBase85(body, ascii)
    const decoded = bytes && textOfBytes(bytes)
    if (decoded !== undefined) return wholeRun('base85', decoded, region)
  }
  return undefined
}

const diverseLength = 40

/** Capitals, small letters and signs in a jumble, as no word, path or row of dashes has them. */
function isDiverse(body: string): boolean {
  let changes = 0
  let signs = 0
  let before = 0
  const length = Math.min(body.length, diverseLength)
  for (let i = 0; i < length; i += 1) {
    const code = body.charCodeAt(i)
    const kind = isLower(code) ? 1 : isUpper(code) ? 2 : isDigit(code) ? 3 : 4
    if (kind === 4) signs += 1
    if (kind !== before) changes += 1
    before = kind
  }
  return signs >= 2 && changes * 5 >= length * 2
}
