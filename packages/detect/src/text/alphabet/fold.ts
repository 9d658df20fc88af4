import { isGenericMark, isLatin, isOptionalPoint, isOverlay, isVoicing, joinsPrevious } from './characters.ts'
import { isExactLookalike, isRareLookalike, latinLookalike } from './confusables.ts'
import { plainLatin } from './latin-letters.ts'

/** Result of folding one character with its marks. */
export interface Folded {
  readonly units: string
  /** Latin letter the character looks like (code unit), 0 for none. */
  readonly look: number
  /** How good a disguise it is: 0 none, 1 only beside Latin letters, 2 complete, 3 from a script hardly met. */
  readonly disguise: number
}

export interface FoldOptions {
  /** Keep capitals, for decoders that tell them apart. */
  readonly keepCase: boolean
  /** Drop every generic mark, also of scripts that need some. */
  readonly stripMarks: boolean
}

/** Compatibility form, lower case, Latin letters without marks, optional points dropped; folding twice changes nothing. */
export function foldCluster(cluster: string, options: FoldOptions): Folded {
  let units = cluster
  for (let round = 0; round < 3; round += 1) {
    const next = foldOnce(units, options)
    if (next === units) break
    units = next
  }
  const code = cluster.charCodeAt(0)
  const look = units.length === 1 ? latinLookalike(code) || latinLookalike(units.charCodeAt(0)) : 0
  return { units, look, disguise: look === 0 ? 0 : disguiseOf(code) }
}

export const disguiseOf = (code: number): number => (isRareLookalike(code) ? 3 : isExactLookalike(code) ? 2 : 1)

function foldOnce(text: string, { keepCase, stripMarks }: FoldOptions): string {
  const compatible = enclosed(text).normalize('NFKC')
  let folded = ''
  let foreign = false
  for (const char of keepCase ? compatible : compatible.toLowerCase()) {
    const code = char.codePointAt(0) ?? 0
    if (isOptionalPoint(code) || isOverlay(code) || isVoicing(code)) continue
    if (isGenericMark(code)) {
      if (foreign && !stripMarks) folded += char
      continue
    }
    // A sign of some script on a letter of another is decoration; at the start it stands for itself.
    if (joinsPrevious(code) && !foreign && folded !== '') continue
    const bare = stripMarks || code < 0x370 || code >= 0x1e00 ? char.normalize('NFD') : char
    const base = bare.charCodeAt(0)
    if (!joinsPrevious(code)) foreign = isForeignLetter(base)
    folded += isLatin(base) ? latin(base, keepCase) : stripMarks && foreign ? bare.slice(0, char.length) : mark(char)
  }
  return folded
}

/** Letters of scripts in which a mark may be part of the spelling; punctuation and blanks carry none. */
const isForeignLetter = (code: number): boolean =>
  code >= 0x370 &&
  code !== 0x1680 &&
  !isLatin(code) &&
  !(code >= 0x2000 && code < 0x2c00) &&
  !(code >= 0x3000 && code < 0x3031)

function latin(code: number, keepCase: boolean): string {
  const letter = String.fromCharCode(code)
  if (code < 0x80) return letter
  const lower = letter.toLowerCase()
  const plain = plainLatin(lower.charCodeAt(0)) ?? lower
  return keepCase && lower !== letter ? plain.toUpperCase() : keepCase ? (plainLatin(code) ?? letter) : plain
}

/** Typographic quotes and dashes are typed by the machine, not the writer: one form each. */
const typographic: ReadonlyMap<string, string> = new Map([
  ...[...'‘’‛ʼ′ʹˈ´'].map((char): [string, string] => [char, "'"]),
  ...[...'“”„‟″'].map((char): [string, string] => [char, '"']),
  ...[...'‐‑‒–—―−'].map((char): [string, string] => [char, '-']),
])

const mark = (char: string): string => typographic.get(char) ?? char

/** Letters in boxes and flags have no compatibility form; the other enclosed letters do. */
function enclosed(text: string): string {
  const code = text.codePointAt(0) ?? 0
  if (code === 0xb4) return "'"
  if (code < 0x1f150 || code > 0x1f1ff) return text
  const first = [0x1f1e6, 0x1f170, 0x1f150].find((start) => code >= start && code < start + 26)
  return first === undefined ? text : String.fromCharCode(97 + code - first)
}

/** Whether a character is a plain letter in fancy dress: mathematical, circled, squared, small capital, script. */
export const isStyled = (code: number): boolean =>
  (code >= 0x1d400 && code <= 0x1d7ff) ||
  (code >= 0x1f110 && code <= 0x1f1ff) ||
  (code >= 0x249c && code <= 0x24e9) ||
  (code >= 0x1d00 && code <= 0x1d2b) ||
  (code >= 0x2100 && code <= 0x2149)

export const isFullwidth = (code: number): boolean => code >= 0xff01 && code <= 0xff5e
