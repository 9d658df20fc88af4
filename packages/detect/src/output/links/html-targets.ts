/** Targets in HTML tags and CSS, handlers that send something, and elements that hide their text. */
import type { Finding } from '../../base/finding.ts'
import { hiddenElement } from '../checks/hidden-html.ts'
import { findingAt } from '../checks/local-check.ts'
import { maxTarget, mayLeave, targetEnd } from './address.ts'
import type { Target } from './links.ts'

/** Longest tag that is read. */
const maxTag = 256

/** Calls back with every target of a tag or a style; adds handlers and hidden elements to `found`. */
export function findTags(text: string, visit: (target: Target) => void, found: Finding[]): void {
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    const next = text.charCodeAt(at + 1) | 32
    if (next < 97 || next > 122) continue
    readTag(text, at, { visit, found })
  }
  findStyles(text, 'url(', visit)
  findStyles(text, '@import', visit)
}

const clicked: ReadonlySet<string> = new Set(['a', 'area', 'form', 'button'])
const known: ReadonlySet<string> = new Set(
  'a area form button img image iframe frame script link video audio source track embed object input body table td use base meta svg feimage'.split(
    ' ',
  ),
)
const attribute = /([a-z][a-z:-]{1,20})\s{0,8}=\s{0,8}(?:"([^"]{0,256})"?|'([^']{0,256})'?|([^\s"'>]{1,256}))/gi
const targets: ReadonlySet<string> = new Set(
  'src srcset href xlink:href data action formaction poster background ping lowsrc dynsrc imagesrcset longdesc'.split(
    ' ',
  ),
)

interface Visit {
  readonly visit: (target: Target) => void
  readonly found: Finding[]
}

function readTag(text: string, at: number, { visit, found }: Visit): void {
  const end = tagEnd(text, at)
  const tag = text.slice(at, end)
  const name = /^<([a-z][a-z0-9]{0,12})/i.exec(tag)?.[1]?.toLowerCase() ?? ''
  if (tag.endsWith('>')) hiddenElement(text, { start: at, end, tag }, found)
  if (!tag.includes('=')) return
  const place = { type: 'html-exfiltration', start: at, end } as const
  for (const match of tag.matchAll(attribute)) {
    const key = (match[1] ?? '').toLowerCase()
    const value = match[2] ?? match[3] ?? match[4] ?? ''
    if (key.startsWith('on') && sends.test(value)) {
      found.push(findingAt(text, { ...place, rule: 'handler-request', score: 0.85 }))
    }
    // Everyday attributes lead nowhere; `www.` would else be read as plain text.
    if (!known.has(name) || !(mayLeave(value) || value.includes('www.'))) continue
    const offset = at + match.index + match[0].lastIndexOf(value)
    const mode = clicked.has(name) && key !== 'ping' ? 'link' : 'load'
    for (const { raw, shift } of addressesIn(key, name, value)) visit({ ...place, mode, raw, at: offset + shift })
  }
}

const sends =
  /(?:\bfetch|sendbeacon|xmlhttprequest|new\s{1,4}image|websocket|eval)\s{0,4}\(|location\s{0,4}(?:\.href\s{0,4})?=|document\.cookie/i

interface Part {
  readonly raw: string
  readonly shift: number
}

function addressesIn(key: string, name: string, value: string): Part[] {
  if (name === 'meta' && key === 'content') {
    const refresh = /url\s{0,4}=\s{0,4}["']?/i.exec(value)
    const shift = refresh ? refresh.index + refresh[0].length : 0
    return refresh ? [{ raw: value.slice(shift), shift }] : []
  }
  if (!targets.has(key)) return []
  if (key !== 'srcset' && key !== 'imagesrcset' && key !== 'ping') return [{ raw: value, shift: 0 }]
  return [...value.matchAll(/[^\s,][^\s]{0,240}/g)].map((match) => ({ raw: match[0], shift: match.index }))
}

/** After the closing bracket, quotes respected; a tag that stays open ends at the limit. */
function tagEnd(text: string, at: number): number {
  const most = Math.min(text.length, at + maxTag)
  let quote = 0
  for (let i = at + 1; i < most; i += 1) {
    const code = text.charCodeAt(i)
    if (quote > 0) quote = code === quote ? 0 : quote
    else if (code === 62) return i + 1
    else if (code === 60) return i
    else if ((code === 34 || code === 39) && text.charCodeAt(i - 1) === 61) quote = code
  }
  return most
}

function findStyles(text: string, sign: string, visit: (target: Target) => void): void {
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + sign.length)) {
    const opening =
      /^\s{0,4}(?:url\()?["']?\s{0,4}/.exec(text.slice(at + sign.length, at + sign.length + 16))?.[0] ?? ''
    const from = at + sign.length + opening.length
    const to = targetEnd(text, from)
    const closing = /^["']?\s{0,4}\)?/.exec(text.slice(to, to + 6))?.[0] ?? ''
    if (to - from <= maxTarget)
      visit({
        type: 'html-exfiltration',
        mode: 'load',
        start: at,
        end: to + closing.length,
        raw: text.slice(from, to),
        at: from,
      })
  }
}
