/** IP and MAC addresses. Tested in find-pii.test.ts. */
import { isWordUnit } from '../characters.ts'
import { distanceOf, nowhere, type Scan } from '../scan.ts'

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
  return printed.split('.').some((part) => part.length === 3) ? 0.85 : printed.length < 9 ? 0.45 : 0.6
}

// RFC 6890: this network, loopback, link local, multicast and above, masks, documentation.
const isSpecial = (printed: string): boolean =>
  /^(?:0\.|127\.|169\.254\.|2[2-5]\d\.(?!.*\d{3}\.\d{3}\.)|255\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.)|\.0\.0\.0$/.test(
    printed,
  ) && !/^22[0-3]\./.test(printed)

const v6Reach = 45

/** Asked at hexadecimal words that a colon follows, and at `::`. */
export function recognizeIpv6({ text, context, found }: Scan, start: number): void {
  if (/[\w.:]/.test(text[start - 1] ?? ' ')) return
  const run = /^[0-9A-Fa-f:]{2,39}(?:\d{0,3}(?:\.\d{1,3}){3})?/.exec(text.slice(start, start + v6Reach))?.[0]
  if (run === undefined) return
  const printed = run.replace(/[^:]:$/, (tail) => tail.slice(0, 1))
  const end = start + printed.length
  if (isWordUnit(text.charCodeAt(end)) || !isV6(printed)) return
  const isReserved = /^(?:::1?|2001:0?db8:.*|fe80:.*|ff0.*)$/i.test(printed)
  const named = distanceOf('ip', context.before(start), context.after(end)) < nowhere
  const isShort = printed.replace(/:/g, '').length < 6
  const score = isReserved ? (named && printed.length > 8 ? 0.7 : 0.3) : isShort ? (named ? 0.7 : 0.3) : 0.95
  found.push({ detector: 'pii', type: 'IP_ADDRESS', start, end, score, rule: 'ipv6' })
}

/** RFC 4291 section 2.2: eight groups, or fewer with one `::`; an IPv4 tail counts as two. */
function isV6(printed: string): boolean {
  const tail = /(?:^|:)(\d{1,3}(?:\.\d{1,3}){3})$/.exec(printed)
  const head = tail ? `${printed.slice(0, printed.length - (tail[1] ?? '').length)}0:0` : printed
  const halves = head.split('::')
  if (halves.length > 2) return false
  const parts = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  if (!parts.every((part) => /^[0-9A-Fa-f]{1,4}$/.test(part))) return false
  return halves.length === 2 ? parts.length <= 7 && (parts.length > 0 || printed === '::') : parts.length === 8
}

const mac =
  /^(?:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}|[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4})(?![\w]|[-:.][0-9A-Fa-f])/

/** Asked at hexadecimal words of two or four. */
export function recognizeMac({ text, found }: Scan, start: number): void {
  if (/[\w]/.test(text[start - 1] ?? ' ') || /[0-9A-Fa-f][-:.]$/.test(text.slice(Math.max(0, start - 2), start))) return
  const printed = mac.exec(text.slice(start, start + 20))?.[0]
  if (printed === undefined || /^(?:00[-:]?){5}00$|^(?:ff[-:]){5}ff$|^0{4}\./i.test(printed)) return
  const score = printed.includes('.') || /^[\d-]+$/.test(printed) ? 0.75 : 0.95
  found.push({ detector: 'pii', type: 'MAC_ADDRESS', start, end: start + printed.length, score, rule: 'mac' })
}
