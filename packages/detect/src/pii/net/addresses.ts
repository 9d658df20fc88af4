/** IP and MAC addresses. Tested in find-pii.test.ts. */
import { isDigit, isWord } from '../../base/matcher.ts'
import { isWordUnit } from '../base/characters.ts'
import { distanceOf, nowhere, type Scan } from '../identifiers/scan.ts'

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const v4 = new RegExp(`^${octet}(?:\\.${octet}){3}(?![\\w]|\\.\\d|-\\d)`)

/** Asked at words of one to three digits that a point follows. */
export function recognizeIpv4({ text, context, found }: Scan, start: number): void {
  if (!startsAddress(text, start)) return
  const printed = v4.exec(text.slice(start, start + 17))?.[0]
  if (printed === undefined) return
  const end = start + printed.length
  const before = context.before(start)
  const ip = distanceOf('ip', before, context.after(end))
  const version = distanceOf('version', before)
  const score = isSpecial(printed) ? 0.3 : version < nowhere && version <= ip ? 0.3 : plainScore(printed, ip)
  found.push({ detector: 'pii', type: 'IP_ADDRESS', start, end, score, rule: 'ipv4' })
}

/** Not after a point, a word, or a dash that follows a digit; `ip-10.0.0.1` is fine. */
function startsAddress(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1)
  if (before === 45) return !(text.charCodeAt(start - 2) >= 48 && text.charCodeAt(start - 2) <= 57)
  return before !== 46 && !isWordUnit(before)
}

/** Four small numbers are more often a version or a section than an address. */
function plainScore(printed: string, ip: number): number {
  if (ip < nowhere) return 0.95
  return /\d{3}/.test(printed) ? 0.85 : printed.length < 9 ? 0.45 : 0.6
}

// RFC 6890: this network, loopback, link local, multicast and above, masks, documentation.
const isSpecial = (printed: string): boolean =>
  /^(?:0\.|127\.|169\.254\.|2[2-5]\d\.(?!.*\d{3}\.\d{3}\.)|255\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.)|\.0\.0\.0$/.test(
    printed,
  ) && !/^22[0-3]\./.test(printed)

const v6Reach = 45

/** Asked at hexadecimal words that a colon follows, and at `::`. */
export function recognizeIpv6({ text, context, found }: Scan, start: number): void {
  const before = text.charCodeAt(start - 1)
  if (isWord(before) || before === 46 || before === 58) return
  const plainEnd = groupsEnd(text, start)
  if (plainEnd < 0) return
  const mayHaveTail = text.charCodeAt(plainEnd) === 46 || plainEnd - start === longestGroups
  const run = mayHaveTail
    ? (/^[0-9A-Fa-f:]{2,39}(?:\d{0,3}(?:\.\d{1,3}){3})?/.exec(text.slice(start, start + v6Reach))?.[0] ?? '')
    : text.slice(start, plainEnd)
  const printed = run.endsWith(':') && !run.endsWith('::') ? run.slice(0, -1) : run
  const end = start + printed.length
  if (isWordUnit(text.charCodeAt(end)) || !isV6(printed)) return
  const isReserved = isReservedV6(printed)
  // The words around decide only where the address alone does not.
  const isOpen = isReserved ? printed.length > 8 : hexDigitsIn(printed) < 6
  const named = isOpen && distanceOf('ip', context.before(start), context.after(end)) < nowhere
  const score = isReserved || isOpen ? (named ? 0.7 : 0.3) : 0.95
  found.push({ detector: 'pii', type: 'IP_ADDRESS', start, end, score, rule: 'ipv6' })
}

const longestGroups = 39
const reservedV6 = /^(?:2001:0?db8:|fe80:|ff0)/i

/** Unspecified, loopback, documentation, link local, multicast. */
function isReservedV6(printed: string): boolean {
  if (printed.charCodeAt(0) !== 58) return reservedV6.test(printed)
  return printed.length === 2 || printed === '::1'
}

/** Characters of an address that are no colons. */
function hexDigitsIn(printed: string): number {
  let digits = 0
  for (let at = 0; at < printed.length; at += 1) if (printed.charCodeAt(at) !== 58) digits += 1
  return digits
}

/** Colons of six groups and an IPv4 tail. */
const fewestColons = 6

/** End of hexadecimal groups and colons; -1 when there are too few colons for an address, as in a time of day. */
function groupsEnd(text: string, start: number): number {
  let end = start
  let colons = 0
  let isShortened = false
  for (; end - start < longestGroups; end += 1) {
    const code = text.charCodeAt(end)
    if (code === 58) {
      colons += 1
      isShortened ||= text.charCodeAt(end + 1) === 58
    } else if (!isHex(code)) break
  }
  return isShortened || colons >= fewestColons ? end : -1
}

const isHex = (code: number): boolean => isDigit(code) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102)

/** RFC 4291 section 2.2: eight groups, or fewer with one `::`; an IPv4 tail counts as two. */
function isV6(printed: string): boolean {
  const tail = printed.includes('.') ? /(?:^|:)(\d{1,3}(?:\.\d{1,3}){3})$/.exec(printed) : null
  const head = tail ? `${printed.slice(0, printed.length - (tail[1] ?? '').length)}0:0` : printed
  const shortened = head.indexOf('::')
  if (shortened < 0) return groupsIn(head, 0, head.length) === 8
  const before = groupsIn(head, 0, shortened)
  const after = groupsIn(head, shortened + 2, head.length)
  return before >= 0 && after >= 0 && before + after <= 7
}

/** How many groups of one to four digits stand between two places with a colon between each two; -1 when others do. */
function groupsIn(printed: string, from: number, to: number): number {
  if (from === to) return 0
  let groups = 1
  let digits = 0
  for (let at = from; at < to; at += 1) {
    const code = printed.charCodeAt(at)
    if (code === 58) {
      if (digits === 0) return -1
      groups += 1
      digits = 0
    } else if (isHex(code) && digits < 4) digits += 1
    else return -1
  }
  return digits > 0 ? groups : -1
}

const mac =
  /^(?:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}|[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4})(?![\w]|[-:.][0-9A-Fa-f])/

/** Whether the second mark stands where that of an address does; the exact test follows. */
function mayBeMac(text: string, start: number): boolean {
  const mark = text.charCodeAt(start + 2)
  return mark === 45 || mark === 58
    ? text.charCodeAt(start + 5) === mark
    : text.charCodeAt(start + 4) === 46 && text.charCodeAt(start + 9) === 46
}

/** Asked at hexadecimal words of two or four. */
export function recognizeMac({ text, found }: Scan, start: number): void {
  const before = text.charCodeAt(start - 1)
  if (isWord(before) || !mayBeMac(text, start)) return
  if ((before === 45 || before === 58 || before === 46) && isHex(text.charCodeAt(start - 2))) return
  const printed = mac.exec(text.slice(start, start + 20))?.[0]
  if (printed === undefined || /^(?:00[-:]?){5}00$|^(?:ff[-:]){5}ff$|^0{4}\./i.test(printed)) return
  const score = printed.includes('.') || /^[\d-]+$/.test(printed) ? 0.75 : 0.95
  found.push({ detector: 'pii', type: 'MAC_ADDRESS', start, end: start + printed.length, score, rule: 'mac' })
}
