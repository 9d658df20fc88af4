/** Characters that change or hide what a reader sees: direction overrides, tag characters, zero-width runs. */
import type { Finding } from '../../base/finding.ts'
import { isAsciiLetter, isBidiControl } from '../../text/alphabet/characters.ts'
import { findingAt } from './local-check.ts'
import type { OutputChannel } from './rules.ts'

/** Units in a row that one finding may span. */
const maxRun = 240
const minRun = 4

/** Adds runs of hidden characters, hidden characters between letters, and direction controls in code. */
export function findHiddenText(text: string, channel: OutputChannel, found: Finding[]): void {
  let until = -1
  for (let match = nextHidden(text, 0); match >= 0; match = nextHidden(text, Math.max(match + 1, until))) {
    const end = runEnd(text, match)
    until = end
    if (isBidiControl(text.charCodeAt(match))) addBidi(text, match, { channel, found })
    addRun(text, { start: match, end }, found)
  }
}

function nextHidden(text: string, from: number): number {
  let at = from
  while (at < text.length && hiddenUnits[text.charCodeAt(at)] === 0) at += 1
  return at < text.length ? at : -1
}

function runEnd(text: string, start: number): number {
  let end = start
  const most = Math.min(text.length, start + maxRun)
  while (end < most && isHiddenUnit(text, end)) end += 1
  return Math.max(end, start + 1)
}

const isHiddenUnit = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  if (unit >= 0xdc00 && unit < 0xe000) return text.charCodeAt(at - 1) === tagSurrogate
  return hiddenUnits[unit] === 1
}

/** First half of tag characters and of the variation selectors above them. */
const tagSurrogate = 0xdb40

const hiddenRanges: readonly (readonly [first: number, last: number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [tagSurrogate, tagSurrogate],
]
const hiddenUnits = /* @__PURE__ */ buildHiddenUnits()

function buildHiddenUnits(): Uint8Array {
  const table = new Uint8Array(0x10000)
  for (const [first, last] of hiddenRanges) table.fill(1, first, last + 1)
  return table
}

function addRun(text: string, { start, end }: { start: number; end: number }, found: Finding[]): void {
  const place = { type: 'invisible-text', start, end } as const
  const run = text.slice(start, end)
  const tags = !run.includes('\udb40') ? 0 : (run.match(/[\u{e0020}-\u{e007f}]/gu)?.length ?? 0)
  // The flags of England, Scotland and Wales: a black flag and up to six tags.
  const isFlag = text.slice(Math.max(0, start - 2), start) === '\u{1f3f4}' && tags <= 6
  if (tags > 0 && !isFlag)
    found.push(findingAt(text, { ...place, rule: 'tag-characters', score: tags >= 3 ? 0.95 : 0.6 }))
  else if (run.length >= minRun && [...run].length >= minRun && !isFlag)
    found.push(findingAt(text, { ...place, rule: 'hidden-run', score: 0.8 }))
  else if (isInterleaved(text, start)) found.push(findingAt(text, { ...place, rule: 'interleaved-hidden', score: 0.5 }))
}

const maxJoiners = 3
const nearUnits = 48
const minPlaces = 3

/** Between Latin letters, with two more such places near: no script of theirs needs it. */
function isInterleaved(text: string, at: number): boolean {
  if (!isAsciiLetter(text.charCodeAt(at - 1)) || continuesStretch(text, at)) return false
  let places = 0
  for (let i = at; i < at + nearUnits && places < minPlaces; i += 1) {
    const width = isJoiner(text.charCodeAt(i)) ? joinersAt(text, i) : 0
    if (
      width > 0 &&
      width <= maxJoiners &&
      isAsciiLetter(text.charCodeAt(i - 1)) &&
      isAsciiLetter(text.charCodeAt(i + width))
    ) {
      places += 1
    } else if (i === at) return false
    i += width
  }
  return places === minPlaces
}

/** One finding tells of a whole stretch: the place before this one is at most 8 units away. */
function continuesStretch(text: string, at: number): boolean {
  for (let i = at - 2; i >= at - 8; i -= 1) {
    if (isJoiner(text.charCodeAt(i)) && isAsciiLetter(text.charCodeAt(i - 1))) return true
  }
  return false
}

function joinersAt(text: string, from: number): number {
  let width = 0
  while (width <= maxJoiners && isJoiner(text.charCodeAt(from + width))) width += 1
  return width
}

const isJoiner = (unit: number): boolean =>
  (unit >= 0x200b && unit <= 0x200f) || (unit >= 0x2060 && unit <= 0x2064) || unit === 0xfeff

function addBidi(text: string, at: number, { channel, found }: { channel: OutputChannel; found: Finding[] }): void {
  const code = text.charCodeAt(at)
  const isOverride = code === 0x202d || code === 0x202e
  if (!isOverride && channel === 'chat' && !isCode(text, at)) return
  found.push(
    findingAt(text, {
      type: 'bidi-in-code',
      rule: isOverride ? 'bidi-override' : 'bidi-in-code',
      start: at,
      end: at + 1,
      score: isOverride ? 0.9 : 0.75,
    }),
  )
}

/** The same line has signs of code near by. */
function isCode(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - 64), at)
  const after = text.slice(at, at + 64)
  const end = after.indexOf('\n')
  const line = before.slice(before.lastIndexOf('\n') + 1) + (end < 0 ? after : after.slice(0, end))
  return (line.match(/[;{}=]|\/\/|\/\*|\(\)|=>|#include|&&|\|\|/g)?.length ?? 0) >= 2
}
