/**
 * Tells values that point to a secret or are public by nature: code, paths, addresses, hashes, identifiers.
 * Promises to judge the value alone. Tested in values.test.ts.
 */
import { isWordy } from './wordiness.ts'

// Calls, indexing, member access, scopes and pointers of programming languages; commas of argument lists.
const call = /^([A-Za-z_$][\w$.]{0,60})[([]/
const code =
  /^[\w$]{1,40}->|^[A-Za-z_$][\w$]{0,40}::|^(?:process|os|env|system|config|settings|self|this|window|ctx|req|request|options|props|params|args|data|secrets|vars?|local|module|import)\.|^\(|^\[|^=>|^&(?:mut)?\w{0,20}$|^new\b|^await\b/i
const members = /^[A-Za-z_$][\w$]{0,40}(?:(?:\.|\?\.|->)[A-Za-z_$][\w$]{0,40}){1,8}!?$/
// `user=ann` after a word such as `auth:` is a field of its own.
const field = /^[a-z_]{2,24}=./
const path =
  /^(?:~|\.{1,2})?\/(?:[\w.-]{1,64}\/){0,12}[\w.-]{0,64}$|^[A-Za-z]:\\|^\.{0,2}\/|^[\w-]{1,40}(?:\/[\w.-]{1,40}){1,8}\.[a-z]{2,5}$/
const pointers =
  /^(?:arn:|projects\/|op:\/\/|vault:|ref\+|ssm:|secretsmanager:|env:|file:|kms:|sops:|ENC\[|urn:|data:|ssh-|ecdsa-|AAAA[BE]3?N?z|secret\/|kv\/|https?:|[a-z][a-z0-9+.-]{1,30}:\/\/|@Microsoft\.KeyVault|sm:\/\/|aws:|gcp:|azure:|ui\.|i18n)/i
const hashes =
  /^(?:sha-?(?:1|224|256|384|512)|md5|blake[23][bs]?|crc32|scrypt|pbkdf2|bcrypt|argon2)[-:$_=]|^\$(?:2[abxy]?|5|6|1|argon2\w{0,2}|scrypt|pbkdf2[\w-]{0,10})\$|^\{(?:S?SHA|MD5|CRYPT|PBKDF2)|^pbkdf2_/i
const numbers =
  /^v?\d{1,4}(?:\.\d{1,6}){1,4}(?:[-+][\w.-]{1,20})?$|^\d{4}-\d\d-\d\d(?:[T ][\d:.Z+-]{0,24})?$|^[+-]?\d{1,12}(?:\.\d{1,9})?(?:[a-z%]{1,3})?$|^#[0-9a-f]{3,8}$|^0x[0-9a-f]{1,8}$/i
const contact = /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}$/
const plain = /^[A-Za-z0-9]+$/
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const ulid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** Whether a value is a path, an address, a hash or, when it stands without quotes, an expression. */
export function isReference(value: string, quoted: boolean): boolean {
  if (pointers.test(value) || numbers.test(value)) return true
  // Without punctuation only a key word of code is left.
  if (plain.test(value)) return !quoted && code.test(value)
  if (hashes.test(value) || contact.test(value)) return true
  if (!quoted && (code.test(value) || isCall(value))) return true
  if (!quoted && (field.test(value) || (members.test(value) && !/\d/.test(value)))) return true
  return (members.test(value) || path.test(value)) && isWordy(value.replace(/[^A-Za-z]/g, ''))
}

function isCall(value: string): boolean {
  const name = call.exec(value)?.[1]
  return name !== undefined && (!/\d/.test(name) || name.includes('.') || isWordy(name))
}

/** UUID or ULID: made to be unique, not to be secret. */
export const isUniqueId = (value: string): boolean =>
  (value.length === 36 && uuid.test(value)) || (value.length === 26 && ulid.test(value))
