/** Lists of character codes: hexadecimal pairs, decimal, octal or eight-bit groups, with any common separator. */

import { looksLikeLanguage, strangeness } from '../language/language.ts'
import { type Budget, spend } from '../view/budget.ts'
import { isWorthReading, maxBytes, mayBeText, textOfBytes } from './bytes.ts'
import { type Candidate, wholeRun } from './candidate.ts'
import type { Region } from './tokens.ts'

/** One candidate for each region that reads as codes of some base; stops where the budget ends. */
export function decodeCodes(text: string, regions: readonly Region[], budget: Budget): Candidate[] {
  const found: Candidate[] = []
  for (const region of regions) {
    if (!spend(budget, 32)) break
    const decoded = decodeList(text.slice(region.start, region.end), budget)
    if (decoded) found.push(wholeRun(decoded.name, decoded.text, region))
  }
  return found
}

const bases = [
  { name: 'binary', shape: /^[01]{7,16}$/, base: 2 },
  { name: 'hex', shape: /^[0-9a-f]{2}$/i, base: 16 },
  { name: 'decimal', shape: /^\d{2,5}$/, base: 10 },
  { name: 'octal', shape: /^[0-7]{2,6}$/, base: 8 },
] as const

const minItems = 5
const minShare = 0.9
const probeLength = 400

/** The first numbers decide on the base, all are read in it. */
function decodeList(list: string, budget: Budget): { name: string; text: string } | undefined {
  const probe = itemsOf(list.slice(0, probeLength))
  // The cut may go through the last number.
  const head = list.length > probeLength ? probe.slice(0, -1) : probe
  const places = lettersByPlace(list, head)
  if (places !== undefined) return { name: 'letter-numbers', text: places }
  for (const { name, shape, base } of bases) {
    const fitting = head.filter((item) => shape.test(item))
    if (fitting.length < minItems || fitting.length < head.length * minShare) continue
    const bytes = fitting.map((item) => Number.parseInt(item, base)).filter((code) => code < 256)
    if (bytes.length < fitting.length * minShare || !mayBeText(Uint8Array.from(bytes))) continue
    if (!spend(budget, list.length >> 2)) return undefined
    const codes = itemsOf(list).flatMap((item) => (shape.test(item) ? [Number.parseInt(item, base)] : []))
    const text = textOfCodes(codes.slice(0, maxBytes))
    if (text !== undefined) return { name, text }
  }
  return undefined
}

/** Bytes, or UTF-16 units where some are no bytes: the values that a program reads character by character. */
function textOfCodes(codes: readonly number[]): string | undefined {
  const wide = codes.filter((code) => code > 255).length
  if (wide === 0) return textOfBytes(Uint8Array.from(codes))
  if (wide > codes.length * (1 - minShare)) return undefined
  const text = codes.map((code) => String.fromCharCode(code)).join('')
  return isWorthReading(text) ? text : undefined
}

const minPlaces = 10
const maxList = 65_536

/** Numbers 1 to 26 for a to z, words parted by a slash, bar, zero or wider gap. */
function lettersByPlace(list: string, head: readonly string[]): string | undefined {
  if (head.length < minPlaces || !head.every((item) => /^\d{1,2}$/.test(item) && Number(item) <= 26)) return undefined
  const text = list
    .slice(0, maxList)
    .replace(/\D{2,8}|[/|_]|\b0\b/g, (gap) => (/[/|_0]| {2}|\n/.test(gap) ? '/' : ' '))
    .replace(/\d{1,2}|[^\d/]/g, (part) => (/\d/.test(part) ? String.fromCharCode(96 + Number(part)) : ''))
    .replaceAll('/', ' ')
  return strangeness(text) < usualBelow && looksLikeLanguage(text) ? text : undefined
}

const usualBelow = 9

/** The numbers without prefixes and separators; rows of bits or hexadecimal digits are cut into bytes. */
function itemsOf(list: string): string[] {
  const words = list.split(/(?:0x|[^0-9a-fA-F])+/).filter((word) => word.length > 0)
  // A word before or behind the numbers may be made of hexadecimal letters: `decode`.
  const bits = words.filter((word) => /^[01]+$/.test(word))
  if (bits.length > 0 && bits.length >= words.length * minShare) return bitGroups(bits)
  const short = words.filter((word) => word.length <= 3).length
  if (short >= words.length * minShare) return words
  return words.flatMap((word) => (word.length > 3 && word.length % 2 === 0 ? (word.match(/../g) ?? []) : [word]))
}

function bitGroups(words: readonly string[]): string[] {
  const bytes = words.filter((word) => word.length === 7 || word.length === 8).length
  if (bytes >= words.length * minShare) return [...words]
  return words.join('').match(/.{8}/g) ?? []
}
