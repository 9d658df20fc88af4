/**
 * Secrets that can be told from everything else, and the search for them. A canary has no shape that a logger would hide
 * by itself, so it stays out of a line only because no code wrote it there.
 */

import { replaced, type Spot, spotsIn } from '../fuzz/values.ts'
import { isJson } from '../generated/schema-values.ts'

/** Members that hold what only their owner may know. */
const secretMember =
  /^(?:.*password|token|.*_token|.*secret|code|.*_code|code_verifier|SAMLResponse|id_token_hint|license|signature|clientDataJSON|authenticatorData|challenge)$/
/** The code of an error that is searched for admits no one. */
const openPlace = /\/requests\/export#\/code$/
/** `value` is a word for many things; only here is it a key. */
const secretPlace = /\/secrets\/0\/value$|\/rotate-secret#\/value$/

let made = 0

/** A text of this form that nothing else has. */
function canary(schema: Spot['schema']): string {
  made += 1
  const pattern = typeof schema.pattern === 'string' ? new RegExp(schema.pattern, 'u') : /^/
  const texts = [`canary${made}q7v3x9`, `${7_391_460_000_000_000 + made}`, `${739_146 + made}`, 'c'.repeat(40) + made]
  return texts.find((text) => pattern.test(text)) ?? `canary${made}q7v3x9`
}

export interface Planted {
  readonly body: unknown
  readonly canaries: readonly string[]
}

/** The body with a canary in each place that holds a secret. */
export function withCanaries(name: string, schema: unknown, body: unknown): Planted {
  const spots = spotsIn(schema, body).filter((spot) => isSecret(name, spot))
  const values = spots.map((spot) => canary(spot.schema))
  return {
    body: spots.reduce((value, { path }, index) => replaced(value, path, values[index]), body),
    canaries: values,
  }
}

function isSecret(name: string, { path, schema }: Spot): boolean {
  const member = path.findLast((step) => typeof step === 'string') ?? ''
  const place = `${name}#/${path.join('/')}`
  const isText = (schema.type === 'string' && schema.format !== 'uuid' && !('enum' in schema)) || !('type' in schema)
  return (
    isText &&
    path.length > 0 &&
    !openPlace.test(place) &&
    (secretMember.test(String(member)) || secretPlace.test(place))
  )
}

const givenMember =
  /^(?:.*_token|token|secret|.*_secret|secret_base32|otpauth_uri|recovery_codes|invitation_url|.*_link)$/

/** Secrets that an answer gave to its caller alone. */
export function secretsIn(value: unknown, member = ''): readonly string[] {
  if (typeof value === 'string')
    return givenMember.test(member) && value.length >= 12 ? [value.split('#').at(-1) ?? value] : []
  if (Array.isArray(value)) return value.flatMap((item) => secretsIn(item, member))
  return isJson(value) ? Object.entries(value).flatMap(([name, item]) => secretsIn(item, name)) : []
}

/** Where a secret stands in a text, as it is or in one of the spellings that programs give to texts. */
export function findSecret(text: string, secret: string): string | null {
  // Digits stand inside times, sizes and ids; alone they are the code.
  if (/^\d{6}$/.test(secret)) return new RegExp(`(?<![\\w.-])${secret}(?![\\w.-])`).exec(text)?.[0] ?? null
  return spellings(secret).find((spelling) => text.includes(spelling)) ?? null
}

function spellings(secret: string): readonly string[] {
  const bytes = Buffer.from(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  const encoded = [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes])
    // The first and last characters hold bits of the neighboring text.
    const [from, to] = [Math.ceil((shift * 4) / 3), Math.floor((whole.length * 8) / 6)]
    return (['base64', 'base64url'] as const).map((form) => whole.toString(form).slice(from, to))
  })
  return [...new Set([secret, json, encodeURIComponent(secret), bytes.toString('hex'), ...encoded])]
}
