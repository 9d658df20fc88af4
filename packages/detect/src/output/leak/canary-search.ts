/**
 * Finds canaries in text given piece by piece. Only letters and digits count, in lower case and without disguise, so
 * separators, case, look-alikes and line breaks make no difference. Linear in the text. Tested in canary.test.ts.
 */
import type { Finding } from '../../base/finding.ts'
import { createGramBits, eachGram, type GramBits } from '../grams/gram-index.ts'
import { type Squeezed, squeeze } from '../grams/squeeze.ts'
import { zeroWidth } from './canary.ts'
import { canaryForms } from './canary-forms.ts'

interface FormIndex {
  readonly forms: ReadonlyMap<number, readonly string[]>
  readonly bits: GramBits
  /** Length of the run that is hashed: the shortest form. */
  readonly size: number
  readonly longest: number
}

export interface CanaryPlan {
  readonly letters: FormIndex
  readonly hidden: FormIndex
}

const minToken = 8

/** Prepares the search for any spelling of these tokens; tokens with less than 8 letters and digits are ignored. */
export function planCanaries(tokens: readonly string[]): CanaryPlan | undefined {
  const usable = tokens.filter((token) => token.replace(/[^A-Za-z0-9]/g, '').length >= minToken)
  if (usable.length === 0) return undefined
  return {
    letters: indexForms(usable.flatMap(canaryForms)),
    hidden: indexForms(usable.map(zeroWidth)),
  }
}

function indexForms(list: readonly string[]): FormIndex {
  const size = list.reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY)
  const longest = list.reduce((most, { length }) => Math.max(most, length), 0)
  const forms = new Map<number, string[]>()
  const bits = createGramBits(16)
  for (const form of list) {
    eachGram(unitsOf(form.slice(0, size)), { length: size, size }, (hash) => {
      bits.add(hash)
      forms.set(hash, [...(forms.get(hash) ?? []), form])
    })
  }
  return { forms, bits, size, longest }
}

const unitsOf = (text: string): Uint16Array => Uint16Array.from(text, (char) => char.charCodeAt(0))

export interface CanarySearch {
  /** Takes the next piece, which begins where the last one ended, and answers what it completed. */
  feed(piece: string): Finding[]
}

/** A search over one text; positions count from the first piece. Pieces must not cut surrogate pairs. */
export function searchCanaries({ letters, hidden }: CanaryPlan): CanarySearch {
  const letterTrack = createTrack(letters)
  const hiddenTrack = createTrack(hidden)
  let offset = 0
  return {
    feed: (piece) => {
      const found = letterTrack(squeeze(piece, { allScripts: false, offset }))
      if (piece.includes('\u200c')) for (const finding of hiddenTrack(zeroWidthsOf(piece, offset))) found.push(finding)
      offset += piece.length
      return found
    },
  }
}

function zeroWidthsOf(text: string, offset: number): Squeezed {
  const units: number[] = []
  const places: number[] = []
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i)
    if (unit !== 0x200b && unit !== 0x200c) continue
    units.push(unit)
    places.push(offset + i)
  }
  return { units: Uint16Array.from(units), places: Int32Array.from(places), length: units.length }
}

/** Keeps as many units of earlier pieces as the longest form may need. */
function createTrack(index: FormIndex): (piece: Squeezed) => Finding[] {
  let kept: Squeezed = { units: new Uint16Array(0), places: new Int32Array(0), length: 0 }
  let foundUntil = 0
  return (piece) => {
    const track = joined(kept, piece)
    const found: Finding[] = []
    const text = track.units.subarray(0, track.length)
    eachGram(text, { length: track.length, size: index.size }, (hash, end) => {
      if (!index.bits.has(hash)) return
      const from = end - index.size
      const length = matchAt(text, from, index.forms.get(hash) ?? [])
      const start = track.places[from] ?? 0
      if (length === 0 || start < foundUntil) return
      foundUntil = (track.places[from + length - 1] ?? 0) + 1
      found.push({ detector: 'output', type: 'canary', start, end: foundUntil, score: 1, rule: 'canary' })
    })
    kept = tailOf(track, index.longest)
    return found
  }
}

function matchAt(units: Uint16Array, from: number, forms: readonly string[]): number {
  let longest = 0
  for (const form of forms) {
    let i = 0
    while (i < form.length && units[from + i] === form.charCodeAt(i)) i += 1
    if (i === form.length) longest = Math.max(longest, i)
  }
  return longest
}

function joined(first: Squeezed, second: Squeezed): Squeezed {
  if (first.length === 0) return second
  const length = first.length + second.length
  const units = new Uint16Array(length)
  const places = new Int32Array(length)
  units.set(first.units.subarray(0, first.length))
  units.set(second.units.subarray(0, second.length), first.length)
  places.set(first.places.subarray(0, first.length))
  places.set(second.places.subarray(0, second.length), first.length)
  return { units, places, length }
}

function tailOf({ units, places, length }: Squeezed, count: number): Squeezed {
  const from = Math.max(0, length - count)
  return { units: units.slice(from, length), places: places.slice(from, length), length: length - from }
}
