/** E-mail addresses, internationalized ones included, and addresses written out in words. Tested in find-pii.test.ts. */
import { isAlphanumeric } from '../../base/matcher.ts'
import { beginsMailbox, isLetterBeyondAscii, isMailboxUnit } from '../base/characters.ts'
import type { Scan } from '../identifiers/scan.ts'
import { behindOpenings } from '../lexicon/opening-words.ts'

// RFC 5321 section 4.5.3.1: 64 octets before the @; a whole domain is cut at 96 to stay within reach of a stream.
const maxLocal = 64
const maxDomain = 96

/** Asked at every `@`, also a full-width one; one that is written in an escape is read in respelled.ts. */
export function recognizeEmail({ text, found }: Pick<Scan, 'text' | 'found'>, at: number): void {
  const start = localStart(text, at)
  const end = start < at ? domainEnd(text, at + 1) : 0
  if (end > 0)
    found.push({ detector: 'pii', type: 'EMAIL', start, end, score: scoreOf(text, start, end), rule: 'email' })
}

function localStart(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start <= maxLocal && isMailboxUnit(text.charCodeAt(start - 1))) start -= 1
  if (at - start > maxLocal || text[at - 1] === '.') return at
  while (start < at && !beginsMailbox(text.charCodeAt(start))) start += 1
  return start
}

const isDomainUnit = (code: number): boolean =>
  isAlphanumeric(code) || code === 45 || isLetterBeyondAscii(code) || (code >= 0x4e00 && code <= 0x9fff)

/** End of the longest domain whose last label is two or more letters; 0 when there is none. */
function domainEnd(text: string, from: number): number {
  let end = 0
  let labelStart = from
  for (let at = from; at <= from + maxDomain; at += 1) {
    const code = text.charCodeAt(at)
    if (isDomainUnit(code)) continue
    const label = text.slice(labelStart, at)
    if (label === '' || label.length > 63 || label.startsWith('-')) return end
    if (labelStart > from && isTopLevel(label)) end = at
    else if (labelStart > from) end = Math.max(end, topLevelBeforeOtherScript(text, labelStart, at))
    if (code !== 46 && code !== 0xff0e) return end
    labelStart = at + 1
  }
  return end
}

const isTopLevel = (label: string): boolean =>
  /^(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9-]{2,59}|[^\d\W-]{2,24}|[\u00c0-\u058f\u4e00-\u9fff]{2,24}|[\uff21-\uff3a\uff41-\uff5a]{2,24})$/.test(
    label,
  )

/** `a@b.com请` ends after `com`: text in another script follows without a blank. */
function topLevelBeforeOtherScript(text: string, from: number, to: number): number {
  const match = /^[A-Za-z]{2,24}(?=[^A-Za-z0-9-])/.exec(text.slice(from, to))
  return match ? from + match[0].length : 0
}

// `icon@2x.png` and package pins such as `name@latest.zip` look like addresses.
const fileName = /\.(?:png|jpe?g|gif|svg|webp|css|js|ts|json|zip|gz|html?|md|txt|lock)$/i

const scoreOf = (text: string, start: number, end: number): number =>
  fileName.test(text.slice(start, end)) ? 0.3 : 0.98

const spelledDomain =
  /^[ ]?[[({<]?(?:at|AT|@)[\])}>]?[ ]([A-Za-z0-9-]{2,40})[ ]?[[({<]?(?:dot|DOT|\.)[\])}>]?[ ]?([A-Za-z]{2,10})(?![A-Za-z0-9])/

/** `jane.doe (at) example dot com`, asked at ` at ` and ` (at) ` in brackets. */
export function recognizeSpelledEmail({ text, found }: Scan, open: number): void {
  const match = spelledDomain.exec(text.slice(open, open + 80))
  if (!match) return
  const nameEnd = text[open - 1] === ' ' ? open - 1 : open
  const name = localStart(text, nameEnd)
  if (name === nameEnd) return
  const start = behindOpenings(text, name, { alone: true })
  const end = open + match[0].length
  found.push({ detector: 'pii', type: 'EMAIL', start, end, score: 0.8, rule: 'email-spelled' })
}

const credentials = /[^\s/?#@:]{1,40}:[^\s/?#@]{1,64}@[A-Za-z0-9[][A-Za-z0-9.:\]-]{0,62}/y
const isScheme = (code: number): boolean => isAlphanumeric(code) || code === 43 || code === 46 || code === 45

/** `scheme://user:password@host`, asked at `://`. */
export function recognizeCredentials({ text, found }: Scan, colon: number): void {
  credentials.lastIndex = colon + 3
  const length = credentials.exec(text)?.[0].length
  if (length === undefined) return
  let start = colon
  while (start > 0 && colon - start < 16 && isScheme(text.charCodeAt(start - 1))) start -= 1
  let end = colon + 3 + length
  while (text[end - 1] === '.' || text[end - 1] === ':') end -= 1
  if (start < colon)
    found.push({ detector: 'pii', type: 'URL_CREDENTIALS', start, end, score: 0.95, rule: 'url-credentials' })
}
