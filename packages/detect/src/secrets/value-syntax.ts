/**
 * Finds the value that a name is given: in code, JSON, YAML, ini, XML, shell, SQL, HTTP headers and sentences.
 * Promises to look at most 96 characters past the name for the beginning of the value. Tested in named-values.test.ts.
 */
import type { Reading } from './reading.ts'
import { linkAfter, skip, type ValueLink } from './value-link.ts'

export interface NamedValue {
  readonly start: number
  readonly end: number
  /** Between quotes: a literal for certain. */
  readonly quoted: boolean
  /** How the value follows its name; code without quotes and loose prose need a stronger value. */
  readonly link: ValueLink
}

/** Shortest value without quotes; words, mostly. */
export const minValue = 6

/** Longest value that is read. */
export const maxValue = 512

const annotation =
  /(?:&?(?:'static )?(?:str|string|String|Text|SecretStr|bytes|\[\]byte|char \*|const char\*|Optional\[str\]|String\?|string \| undefined|any)\??)[ \t]{0,4}=[ \t]{0,8}/y
const wrapper = /[A-Za-z_][A-Za-z0-9_.:]{0,40}\([ \t]?(?=[bBrRuUL@]?\\?["'`])/y
const scheme = /(?:Bearer|Basic|Token|Bot|ApiKey|Api-Key|Key|JWT|OAuth|SSWS|GenieKey|Splunk|token)[ \t:]{1,3}/y
const literalPrefix = /[bBrRuUL@](?=["'])/y
const bold = /[*_]{1,2}/y

/** Reads on from the end of a name; undefined when no value follows. */
export function valueAfter(
  text: string,
  name: { readonly start: number; readonly end: number },
  reading: Reading,
): NamedValue | undefined {
  const { at: linked, link } = linkAfter(text, name)
  if (linked < 0) return undefined
  const at = openingEnd(text, linked)
  const quote = quoteAt(text, at)
  const value = quote === '' ? plainValue(text, at, reading) : quotedValue(text, { at, quote }, reading)
  if (!value || value.end <= value.start) return undefined
  if (!value.quoted && link === 'argument') return undefined
  if (link === 'element' && !text.startsWith('</', value.end)) return undefined
  return { ...value, link }
}

/** Past a type, emphasis, a call around the value and the prefix of a literal. */
function openingEnd(text: string, from: number): number {
  let at = annotationFirsts.has(text.charCodeAt(from)) ? skip(annotation, text, from) : from
  if (boldFirsts.has(text.charCodeAt(at))) at = skip(bold, text, at)
  if (endsCall(text, at)) at = skip(wrapper, text, at)
  return quoteFirsts.has(text.charCodeAt(at + 1)) ? skip(literalPrefix, text, at) : at
}

const annotationFirsts = new Set([..."&'sSTbc[Oa"].map((unit) => unit.charCodeAt(0)))
const boldFirsts = new Set([42, 95])
const maxCallName = 41

function endsCall(text: string, at: number): boolean {
  let end = at
  while (end - at < maxCallName && isCallUnit(text.charCodeAt(end))) end += 1
  return end > at && text.charCodeAt(end) === 40
}

/** Digits, colon, period, letters and underscore. */
const isCallUnit = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 58) || code === 95 || code === 46

const quotes = ['\\"', "\\'", '"', "'", '`', '&quot;', '\u201c', '\u00ab', '\u2018']
const quoteFirsts = new Set(quotes.map((quote) => quote.charCodeAt(0)))
const closing = new Map([
  ['\u201c', '\u201d'],
  ['\u00ab', '\u00bb'],
  ['\u2018', '\u2019'],
])

const quoteAt = (text: string, at: number): string =>
  quoteFirsts.has(text.charCodeAt(at)) ? (quotes.find((quote) => text.startsWith(quote, at)) ?? '') : ''

type Value = Omit<NamedValue, 'link'>

function quotedValue(text: string, { at, quote }: { at: number; quote: string }, reading: Reading): Value | undefined {
  const open = at + quote.length
  const start = schemeEnd(text, open)
  const limit = start > open ? blankAfter(text, start) : reading.runEnd(open)
  const end = reading.nextMark(closing.get(quote) ?? quote, start)
  return end < text.length && end <= Math.min(start + maxValue, limit) ? { start, end, quoted: true } : undefined
}

// More punctuation than that after a value would lie beyond what a matcher may look at.
const maxTrimmed = 24

/** Without quotes the value runs to a blank, a quote or the next field of a list, less the punctuation of a sentence. */
function plainValue(text: string, at: number, reading: Reading): Value | undefined {
  const start = schemeEnd(text, at)
  const last = start > at ? blankAfter(text, start) : reading.runEnd(at)
  if (last - start > maxValue || last - start < minValue) return undefined
  const close = reading.outerClose(start)
  // Inside its own parentheses no closing one ends a value.
  const stop = close < last && reading.nextMark('(', start) > close ? close : last
  const end = Math.min(stop, reading.plainStop(start))
  const kept = trimmed(text, start, end)
  return end - kept > maxTrimmed ? undefined : { start, end: kept, quoted: false }
}

/** Past `Bearer`, `Basic` and their like. */
const schemeEnd = (text: string, at: number): number =>
  schemeFirsts.has(text.charCodeAt(at)) ? skip(scheme, text, at) : at

const schemeFirsts = new Set([...'BTAKJOSGt'].map((unit) => unit.charCodeAt(0)))

function blankAfter(text: string, at: number): number {
  let end = at
  while (end < text.length && end - at <= maxValue && !/\s/.test(text[end] ?? '')) end += 1
  return end
}

const opener = new Map([
  [')', '('],
  [']', '['],
  ['}', '{'],
])

function trimmed(text: string, start: number, end: number): number {
  let stop = end
  for (; stop > start && end - stop <= maxTrimmed; stop -= 1) {
    const last = text.charCodeAt(stop - 1)
    if ((last > 63 && last < 93) || last > 125 || (last > 94 && last < 125) || (last > 47 && last < 58)) break
    const open = opener.get(text[stop - 1] ?? '')
    if (open === undefined ? !',;:.?*'.includes(text[stop - 1] ?? '') : text.slice(start, stop).includes(open)) break
  }
  return stop
}
