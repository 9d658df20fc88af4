/**
 * Keeps secrets out of log lines in two ways: by the name of the member that holds them, and by the shape of the text,
 * wherever it stands. It promises that a line stays valid JSON; it cannot know a short secret under an innocent name.
 * Tested in redact.test.ts and log.test.ts.
 */
import { askedOnce } from '../base/names.ts'

export const redacted = '[redacted]'

const secretName =
  /(?:authorization|cookies?|passwords?|passwd|passphrase|secrets?|tokens?|apikeys?|privatekey|credentials?|pepper|jwt|otp|totp|recoverycodes?|assertion|samlresponse|clientsecret|accesskey|datakey|encryptionkey|signingkey|connectionstring)$/

/** Whether a member of this name holds a secret; `X-API-Key`, `apiKey` and `api_key` are one name. */
export const isSecretName = askedOnce((name) => secretName.test(name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')))

// The first branch eats JSON escapes, so that a match never begins with the `n` of `\n` and leaves a lone backslash.
const shapes = new RegExp(
  [
    String.raw`\\(?:u[0-9a-fA-F]{4}|.)`,
    String.raw`-----BEGIN [A-Z0-9 ]{0,60}-----(?:[^"\\-]|\\[nrt]|-(?!----))*(?:-----END [A-Z0-9 ]{0,60}-----)?`,
    String.raw`e(?:yJ|yA|wo|w0)[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*){0,3}`,
    'ppt_[0-9A-Za-z]{4,}(?:_[0-9A-Za-z]*)*',
    String.raw`[Bb]earer\s+[^\s"\\,]{8,}`,
    String.raw`[Bb]asic\s+[A-Za-z0-9+/_-]{8,}={0,2}`,
    String.raw`:\/\/[^\s"\\/@:]{0,128}:[^\s"\\/@]{1,256}@`,
    '(?:sk|pk|rk|gh[pousr]|xox[abp]|AKIA)[-_]?[A-Za-z0-9_-]{16,}',
    '[A-Za-z0-9+/_-]{40,}={0,2}',
  ].join('|'),
  'g',
)

/** Replaces everything secret-shaped in a serialized line or a plain text. */
export function redactText(text: string): string {
  return text.replace(shapes, (match) => {
    if (match.startsWith('\\')) return match
    if (match.startsWith('://')) return `://${redacted}@`
    return isWordy(match) ? match : redacted
  })
}

const camelWord = /^[A-Za-z]?[a-z]*(?:[A-Z][a-z]+){0,8}\d{0,4}$/
const capitals = /^[A-Z]{1,12}\d{0,4}$/
const uuidPart = /^(?:[0-9a-f]{8}|[0-9a-f]{4}|[0-9a-f]{12})$/

/** Paths, kebab names and UUIDs are long too, but fall into words; random text of 40 characters does not. */
function isWordy(match: string): boolean {
  if (!/^[A-Za-z0-9+/_-]+$/.test(match)) return false
  return match.split(/[+/_-]/).every((part) => camelWord.test(part) || capitals.test(part) || uuidPart.test(part))
}

const maxDepth = 8
const maxItems = 100

/** A copy fit for a log line: secret members replaced, errors reduced to a closed list of fields, bounded in size. */
export function redactFields(fields: object): Record<string, unknown> {
  return copyMembers(fields, 0)
}

function copyMembers(source: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(source).slice(0, maxItems)) {
    copy[name] = value !== null && value !== undefined && isSecretName(name) ? redacted : copyValue(value, depth + 1)
  }
  return copy
}

function copyValue(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') return undefined
  if (typeof value !== 'object' || value === null) return value
  if (depth > maxDepth) return '[deep]'
  if (value instanceof Error) return copyError(value, depth)
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => copyValue(item, depth + 1))
  if ('toJSON' in value && typeof value.toJSON === 'function') return copyValue(value.toJSON(), depth + 1)
  return copyMembers(value, depth)
}

/** Drivers hang row values and request options on their errors, so only these fields leave. */
function copyError(error: Error, depth: number): Record<string, unknown> {
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...('code' in error ? { code: copyValue(error.code, depth + 1) } : {}),
    ...(error.cause === undefined ? {} : { cause: copyValue(error.cause, depth + 1) }),
  }
}
