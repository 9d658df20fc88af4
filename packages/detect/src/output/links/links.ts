/**
 * Links and resources in Markdown, HTML, CSS and plain text that run scripts or carry data to hosts off the allow list.
 * Positions and addresses are all it needs; whether a place renders as a link is assumed. Tested in links.test.ts.
 */
import type { Finding } from '../../base/finding.ts'
import { isAlphanumeric } from '../../base/matcher.ts'
import type { OutputType } from '../checks/rules.ts'
import { type Address, isHostAllowed, readAddress, shownHost, targetEnd } from './address.ts'
import { findTags } from './html-targets.ts'
import { findMarkdownTargets } from './markdown-targets.ts'
import { type Conversation, type Payload, payloadOf } from './url-payload.ts'

/** A place in the text that points somewhere. */
export interface Target {
  readonly type: OutputType
  /** `load` is fetched without a click. */
  readonly mode: 'load' | 'link'
  readonly start: number
  readonly end: number
  /** The target as written. */
  readonly raw: string
  /** Offset of the target as written. */
  readonly at: number
}

export interface LinkOptions {
  readonly allowedHosts: readonly string[] | undefined
  readonly conversation: Conversation
}

/** Adds a finding for each dangerous target. */
export function findLinks(text: string, options: LinkOptions, found: Finding[]): void {
  const taken = new Set<number>()
  const judge = (target: Target): void => {
    taken.add(target.at)
    const finding = judged(target, options)
    if (finding) found.push(finding)
  }
  findMarkdownTargets(text, limitNested(judge))
  findTags(text, judge, found)
  findBare(
    text,
    taken,
    limitNested((target) => {
      const finding = judged(target, options)
      if (finding) found.push(finding)
    }),
  )
}

function judged(target: Target, { allowedHosts, conversation }: LinkOptions): Finding | undefined {
  const address = readAddress(target.raw)
  if (address.kind === 'script')
    return found(target, { type: 'script-url', rule: 'script-scheme', score: 0.95, about: 'script address' })
  if (address.kind === 'document')
    return found(target, { type: 'script-url', rule: 'document-data', score: 0.85, about: 'data: document' })
  if (address.kind !== 'web' || isHostAllowed(address.host, allowedHosts ?? [])) return undefined
  const disguise = isDisguised(address, allowedHosts ?? [])
  const payload = payloadOf(address, target.raw, conversation)
  const reason = payload !== undefined && payload in scores[target.mode] ? payload : undefined
  if (reason)
    return found(target, {
      type: target.type,
      rule: `${target.mode}-${reason}`,
      score: scores[target.mode][reason] ?? 0,
      about: `${address.host}: ${reasons[reason]}`,
    })
  if (disguise)
    return found(target, {
      type: target.type,
      rule: 'disguised-host',
      score: 0.8,
      about: `${address.host} under another name`,
    })
  if (allowedHosts === undefined) return undefined
  const score = target.mode === 'load' ? 0.6 : 0.3
  return found(target, {
    type: target.type,
    rule: `${target.mode}-off-list`,
    score,
    about: `${address.host} is not on the list`,
  })
}

const scores: Readonly<Record<Target['mode'], Readonly<Partial<Record<Payload, number>>>>> = {
  load: { conversation: 0.98, encoded: 0.95, random: 0.8, template: 0.85, prose: 0.85 },
  link: { conversation: 0.9, encoded: 0.85, random: 0.6 },
}

const reasons: Readonly<Record<Payload, string>> = {
  conversation: 'carries text of the conversation',
  encoded: 'carries encoded text',
  random: 'carries random data',
  template: 'has a slot to be filled',
  prose: 'carries sentences',
}

/** `https://good.example@evil.example/` and names that only look like one on the list. */
const isDisguised = (address: Address, allowed: readonly string[]): boolean =>
  (address.userInfo !== '' && /\w\.\w/.test(address.userInfo)) ||
  (allowed.length > 0 && isOtherListed(shownHost(address), address.host, allowed))

const isOtherListed = (shown: string, host: string, allowed: readonly string[]): boolean =>
  shown !== host && isHostAllowed(shown, allowed)

function found(
  { start, end }: Target,
  { about, ...what }: { type: OutputType; rule: string; score: number; about: string },
): Finding {
  return { detector: 'output', start, end, ...what, evidence: about.slice(0, 80) }
}

// Addresses of redirects and archives hold one or two others; clients make one link of them all.
const maxNested = 4

/** Passes on separate addresses and, of those that begin inside another, the first few. */
function limitNested(judge: (target: Target) => void): (target: Target) => void {
  let [outerStart, outerEnd, count] = [0, 0, 0]
  return (target) => {
    const isInside = target.start >= outerStart && target.start < outerEnd
    if (!isInside) [outerStart, outerEnd] = [target.start, target.end]
    count = isInside ? count + 1 : 0
    if (count < maxNested) judge(target)
  }
}

/** Addresses in plain text, which chat clients turn into links; after `src=` they are loaded. */
function findBare(text: string, taken: ReadonlySet<number>, judge: (target: Target) => void): void {
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const start = schemeStart(text, at)
    if (start < at) judgeBare(text, { start, raw: '' }, { taken, judge })
  }
  for (let at = text.indexOf('www.'); at >= 0; at = text.indexOf('www.', at + 4)) {
    const before = text.charCodeAt(at - 1)
    if (!(before > 34 && before !== 40 && before !== 42 && before !== 95))
      judgeBare(text, { start: at, raw: '//' }, { taken, judge })
  }
}

function judgeBare(
  text: string,
  { start, raw }: { start: number; raw: string },
  { taken, judge }: { taken: ReadonlySet<number>; judge: (target: Target) => void },
): void {
  if (taken.has(start)) return
  const end = trimmedEnd(text, start, targetEnd(text, start))
  const isLoad = /(?:src|srcset|poster|background)\s?=\s?["']?$/i.test(text.slice(Math.max(0, start - 14), start))
  judge({
    type: isLoad ? 'html-exfiltration' : 'markdown-exfiltration',
    mode: isLoad ? 'load' : 'link',
    start,
    end,
    raw: raw + text.slice(start, end),
    at: start,
  })
}

/** Start of `http`, `https`, `ws`, `wss` or `ftp` right before a colon, else the colon itself. */
function schemeStart(text: string, colon: number): number {
  const scheme = /(?:https?|wss?|ftp)$/i.exec(text.slice(Math.max(0, colon - 5), colon))?.[0] ?? ''
  const start = colon - scheme.length
  // Clients make no link of a scheme that ends a longer word.
  return isAlphanumeric(text.charCodeAt(start - 1)) ? colon : start
}

function trimmedEnd(text: string, start: number, end: number): number {
  let last = end
  while (last > start && '.,;:!?*_~]}'.includes(text.charAt(last - 1))) last -= 1
  return last
}
