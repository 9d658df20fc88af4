/**
 * How a value follows its name: `=`, `: "`, `="…">`, `is`, a blank after an option, an argument of a call.
 * Promises to look at most 96 characters past the name. Tested in named-values.test.ts.
 */
import { matchesAt } from './reading.ts'

/** Code without quotes and loose prose need a stronger value. */
export type ValueLink = 'assignment' | 'tight' | 'element' | 'prose' | 'argument'

const closers = /(?:\\?["'`\])*]|&quot;){0,4}/y
const wideEquals =
  /[ \t]{0,32}(?::=|=>|->|<-|[=:?|+]=|={1,3}|:|\uff1a|\u662f|\u306f|\|\||\?\?|=)[ \t]{0,32}|[ \t]{1,32}\|[ \t]{1,32}/y
const tightEquals = /[=:](?![=:])/y
const argument = /[ \t]{0,4}[,(][ \t]{0,4}(?=[bBrRuUfL@]?\\?["'`])/y
const prose =
  /(?:\s(?:is|was|are|be|equals|ist|lautet|es|est|\u00e9|jest|\u00e4r|er|on|to|as|has been set to|is set to|set to|changed to|reset to|:|=))(?::)?\s{1,2}/iy
const secondName =
  /(?:[ \t]{0,4},?\s{0,24}(?:\\?["'])?(?:value|val|content|default|defaultValue|stringValue|string)(?:\\?["'])?[ \t]{0,4}[:=][ \t]{0,4}|<\/(?:key|name|string)>\s{0,24}<(?:value|string)>)/iy

const mayEqual = 1
const mayArgue = 2
const maySay = 4
const mayRename = 8
const mayClose = 16

/** First characters of each link after its blanks: most names are followed by none, which one look tells. */
const firsts = /* @__PURE__ */ buildFirsts()

function buildFirsts(): Uint8Array {
  const table = new Uint8Array(128)
  const mark = (units: string, bit: number): void => {
    for (const unit of `${units}${units.toUpperCase()}`) {
      const code = unit.charCodeAt(0)
      table[code] = (table[code] ?? 0) | bit
    }
  }
  mark(':=-<?|+', mayEqual)
  mark(',(', mayArgue)
  mark('iwabeljothscr:=', maySay)
  mark(',\\"\'vcds<', mayRename)
  mark('\\"\'`])*&', mayClose)
  return table
}

const maxBlanks = 32

/** Links that the first character after the blanks at a place may begin; a non-ASCII one may begin any of them. */
function mayBegin(text: string, at: number): number {
  const most = at + maxBlanks
  let first = at
  while (first < most && isSpace(text.charCodeAt(first))) first += 1
  return firsts[text.charCodeAt(first)] ?? 31
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13)

const maxGap = 8

function blanksEnd(text: string, at: number): number {
  let end = at
  while (end - at < maxGap && (text.charCodeAt(end) === 32 || text.charCodeAt(end) === 9)) end += 1
  return end
}

/** Start of the value of a name and its kind of link; -1 when none follows. */
export interface LinkedValue {
  readonly at: number
  readonly link: ValueLink
}

/** Reads on from the end of a name. */
export function linkAfter(text: string, name: { readonly start: number; readonly end: number }): LinkedValue {
  const isClosed = ((firsts[text.charCodeAt(name.end)] ?? 0) & mayClose) !== 0
  const at = isClosed ? skip(closers, text, name.end) : name.end
  const may = mayBegin(text, at)
  const sure = (may & (mayEqual | mayArgue | mayRename)) !== 0 ? explicitLink(text, at, may) : undefined
  if (sure) return sure
  if (text[at] === '>') return { at: isElement(text, name) ? at + 1 : -1, link: 'element' }
  const sentence = (may & maySay) !== 0 ? skip(prose, text, at) : at
  if (sentence > at) return { at: sentence, link: 'prose' }
  const gap = blanksEnd(text, at)
  if (gap === at) return { at: -1, link: 'prose' }
  return { at: gap, link: isOption(text, name) ? 'tight' : 'prose' }
}

/** A link by a sign: a second name such as `value=`, an equals sign, a colon, a comma. */
function explicitLink(text: string, at: number, may: number): LinkedValue | undefined {
  const second = (may & mayRename) !== 0 ? skip(secondName, text, at) : at
  if (second > at) return { at: second, link: 'assignment' }
  if ((may & mayEqual) !== 0) {
    const tight = skip(tightEquals, text, at)
    if (tight > at && !/\s/.test(text[tight] ?? ' ')) return { at: tight, link: 'tight' }
    const wide = skip(wideEquals, text, at)
    if (wide > at) return { at: wide, link: 'assignment' }
  }
  const list = (may & mayArgue) !== 0 ? skip(argument, text, at) : at
  return list > at ? { at: list, link: 'argument' } : undefined
}

/** `<password>value</password>`; `<password>` alone is a blank to fill in. */
const isElement = (text: string, { start }: { start: number }): boolean =>
  text[start - 1] === '<' || (text[start - 1] === ':' && text.slice(Math.max(0, start - 24), start).includes('<'))

/** `--password value`, `-Password value`, `ENV PASSWORD value`. */
function isOption(text: string, { start }: { start: number }): boolean {
  if (text.charCodeAt(start) === 45) return true
  return (
    isSpace(text.charCodeAt(start - 1)) &&
    /(?:^|\n)(?:ENV|ARG|setx?|export)\s$/.test(text.slice(Math.max(0, start - 8), start))
  )
}

/** End of a sticky pattern's match at a place; the place itself when it does not match. */
export const skip = (pattern: RegExp, text: string, at: number): number =>
  matchesAt(pattern, text, at) ? pattern.lastIndex : at
