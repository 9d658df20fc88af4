/**
 * Credentials by the format their issuer gives them, with check sums where the format has one.
 * Promises linear time and no overlaps; passwords without a format of their own are not found.
 * Tested in find-secrets.test.ts.
 */
import { disjoint, type Finding } from '../finding.ts'
import { isAlphanumeric, isWord, type Matcher } from '../matcher.ts'
import { decodeBase64, utf8Text } from '../text/base64.ts'
import { type SecretFormat, secretFormats } from './formats.ts'
import { privateKey } from './private-key.ts'

/** Secrets in a text, in text order and without overlaps. */
export function findSecrets(text: string): Finding[] {
  const found: Finding[] = []
  for (const matcher of secretMatchers) matcher.collect(text, 0, found)
  return disjoint(found)
}

const formatsByPrefix: readonly { prefix: string; format: SecretFormat }[] = secretFormats
  .flatMap((format) => format.prefixes.map((prefix) => ({ prefix, format })))
  .sort((a, b) => b.prefix.length - a.prefix.length)

const escaped = (literal: string): string => literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

const prefixes = new RegExp(formatsByPrefix.map(({ prefix }) => escaped(prefix)).join('|'), 'g')

const prefixed: Matcher = {
  types: [...new Set(secretFormats.map((format) => format.type))],
  collect: (text, from, found) => {
    prefixes.lastIndex = from
    for (let hit = prefixes.exec(text); hit; hit = prefixes.exec(text)) {
      const at = hit.index
      prefixes.lastIndex = at + 1
      if (!isWord(text.charCodeAt(at - 1))) found.push(...formatsAt(text, at))
    }
  },
}

function formatsAt(text: string, at: number): Finding[] {
  const found: Finding[] = []
  for (const { prefix, format } of formatsByPrefix) {
    if (!text.startsWith(prefix, at)) continue
    format.pattern.lastIndex = at
    const value = format.pattern.exec(text)?.[0]
    if (value === undefined || isAlphanumeric(text.charCodeAt(at + value.length)) || format.holds?.(value) === false)
      continue
    found.push({ detector: 'secret', type: format.type, start: at, end: at + value.length, score: format.score })
  }
  return found
}

// Header and claims are JSON objects, so both begin with `{"`, which base64 writes as `eyJ`.
const jwtShape = /eyJ[A-Za-z0-9_-]{8,1024}\.eyJ[A-Za-z0-9_-]{8,5000}(?:\.[A-Za-z0-9_-]{16,1400})?/y

const jwt: Matcher = {
  types: ['jwt'],
  collect: (text, from, found) => {
    for (let at = text.indexOf('eyJ', from); at >= 0; at = text.indexOf('eyJ', at + 1)) {
      const before = text.charCodeAt(at - 1)
      if (isWord(before) || before === 45) continue
      jwtShape.lastIndex = at
      const value = jwtShape.exec(text)?.[0]
      if (value !== undefined && namesAlgorithm(value)) {
        found.push({ detector: 'secret', type: 'jwt', start: at, end: at + value.length, score: 0.97 })
      }
    }
  },
}

/** RFC 7515 section 4.1.1: `alg` must be present in the header. */
function namesAlgorithm(token: string): boolean {
  const bytes = decodeBase64(token.slice(0, token.indexOf('.')))
  return bytes !== undefined && (utf8Text(bytes)?.includes('"alg"') ?? false)
}

// The secret half of an AWS key pair has no mark of its own: 40 characters under a name that says what it is.
const awsRun = /[A-Za-z0-9/+]{40,}/g
const awsName = /(?:aws|amazon)\W?[a-z_.-]{0,24}secret|secret[_ -]?access[_ -]?key|aws_secret/i

const awsSecret: Matcher = {
  types: ['aws_secret_access_key'],
  collect: (text, from, found) => {
    awsRun.lastIndex = from
    for (let run = awsRun.exec(text); run; run = awsRun.exec(text)) {
      const { index } = run
      if (
        run[0].length !== 40 ||
        /[A-Za-z0-9/+]/.test(text[index - 1] ?? '') ||
        !awsName.test(text.slice(Math.max(0, index - 64), index))
      )
        continue
      found.push({ detector: 'secret', type: 'aws_secret_access_key', start: index, end: index + 40, score: 0.95 })
    }
  },
}

export const secretMatchers: readonly Matcher[] = [prefixed, privateKey, jwt, awsSecret]
