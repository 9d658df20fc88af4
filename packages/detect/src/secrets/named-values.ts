/**
 * Values under credential names: `DB_PASSWORD=…`, `"client_secret": "…"`, `Authorization: Bearer …`, "the password is …".
 * Promises that a report depends on at most 128 characters before the value. Tested in named-values.test.ts.
 */
import type { Finding } from '../base/finding.ts'
import { lookBehind } from '../base/matcher.ts'
import { decodeBase64, utf8Text } from '../text/bytes/base64.ts'
import { isPlaceholder } from './base/placeholders.ts'
import { contextFormatOf, contextReach } from './context-formats.ts'
import { type CredentialName, credentialNameAt, type NameKind, nameSpanAt } from './credential-names.ts'
import { credentialScore } from './credential-value.ts'
import { maxScores, type Reading } from './reading.ts'
import { minValue, type NamedValue, valueAfter } from './value-syntax.ts'

// Text read before a name: an opening bracket, a command.
const contextMargin = 24

/** The secret that the name with its trigger at `start`..`end` is given. */
export function namedSecretAt(
  text: string,
  trigger: { readonly start: number; readonly end: number },
  reading: Reading,
): Finding | undefined {
  const span = nameSpanAt(text, trigger.start, trigger.end)
  const written = span && valueAfter(text, span, reading)
  if (!written || written.start - span.start > lookBehind - contextMargin) return undefined
  if (written.end - written.start < minValue || isOneWord(text.slice(written.start, written.end))) return undefined
  if (!reading.isFresh(written.end)) return undefined
  const name = credentialNameAt(text, trigger, span)
  if (!name) return undefined
  if (name.ordinary && written.link === 'prose') return undefined
  const judged = judge(text, name, { written, reading })
  if (!judged) return undefined
  const { type, score, rule } = judged
  return { detector: 'secret', start: written.start, end: written.end, type, score, rule }
}

/** Letters of one case: too short to be random, so words, which most values under such names are. */
const isOneWord = (value: string): boolean => value.length < 16 && /^[A-Za-z](?:[a-z]*|[A-Z]*)[=:(]?$/.test(value)

interface Occurrence {
  readonly written: NamedValue
  readonly reading: Reading
}

interface Judged {
  readonly type: string
  readonly score: number
  readonly rule: string
}

function judge(text: string, { kind }: CredentialName, { written, reading }: Occurrence): Judged | undefined {
  const value = text.slice(written.start, written.end)
  if (isBasic(text, written.start)) return basicPair(value)
  const score = scoreOf(value, kind, { written, reading })
  if (score === 0) return undefined
  const format = contextFormatOf(value, () => text.slice(Math.max(0, written.start - contextReach), written.start))
  if (format) return { type: format.type, score: 0.95, rule: 'issuer-name' }
  const type = kind === 'password' ? 'password' : /^[0-9a-fA-F]+$/.test(value) ? 'hex_secret' : 'generic_secret'
  return { type, score, rule: 'credential-name' }
}

/** The score of a value, remembered for the next time it stands under such a name. */
function scoreOf(value: string, kind: NameKind, { written, reading }: Occurrence): number {
  const key = `${kind} ${written.link} ${written.quoted} ${value}`
  const known = reading.scores.get(key)
  if (known !== undefined) return known
  const score = credentialScore(value, kind, written)
  if (reading.scores.size < maxScores) reading.scores.set(key, score)
  return score
}

/** `Basic` and at most three blanks or colons right before a value. */
const isBasic = (text: string, at: number): boolean =>
  schemeEnds.has(text.charCodeAt(at - 1)) && /\bBasic[ \t:]{1,3}$/.test(text.slice(Math.max(0, at - 9), at))

const schemeEnds = new Set([9, 32, 58])

/** RFC 7617: user and password in base64. */
function basicPair(value: string): Judged | undefined {
  const bytes = decodeBase64(value)
  const pair = bytes && utf8Text(bytes)
  const password = pair?.slice(pair.indexOf(':') + 1)
  if (!pair?.includes(':') || password === undefined || password.length < 4 || isPlaceholder(password)) return undefined
  return { type: 'basic_authorization', score: 0.9, rule: 'authorization-header' }
}
