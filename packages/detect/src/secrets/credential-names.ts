/**
 * Reads the name before a value and tells whether such a value is a credential: `DB_PASSWORD`, `clientSecret`,
 * `spring.datasource.password`, but not `password_hash`, `public_key` or `max_tokens`.
 * Promises to look at most 48 characters back and 32 ahead of the trigger. Tested in named-values.test.ts.
 */

/** `password`: chosen by people (short, memorable); `secret`: made by a machine (long, random). */
export type NameKind = 'password' | 'secret'

/** Range of a whole name, UTF-16. */
export interface NameSpan {
  readonly start: number
  readonly end: number
}

export interface CredentialName {
  readonly kind: NameKind
  /** Also an ordinary word or verb: a sentence about it gives it no value. */
  readonly ordinary: boolean
}

const passwordWords = ['password', 'passwd', 'passphrase', 'passwrd', 'passcode', 'pwd', 'psw', 'pass', 'pw']
const secretWords = [
  ...['secret', 'token', 'apikey', 'credential', 'credentials', 'creds', 'authorization', 'auth', 'key', 'authkey'],
  ...['bearer', 'jwt', 'sas', 'accesskey', 'secretkey', 'privatekey', 'connectionstring', 'signature_key', 'dsn'],
]
// Password in other languages; they stand alone or at the end of a longer name.
const foreignWords = [
  ...[
    'passwort',
    'kennwort',
    'contrase\u00f1a',
    'contrasena',
    'contrasenha',
    'senha',
    'mot de passe',
    'mdp',
    'wachtwoord',
  ],
  ...['has\u0142o', 'haslo', 'heslo', 'l\u00f6senord', 'losenord', 'adgangskode', 'passord', 'salasana', 'jelsz\u00f3'],
  ...[
    'parol\u0103',
    'parola',
    '\u015fifre',
    'sifre',
    '\u043f\u0430\u0440\u043e\u043b\u044c',
    '\u043f\u0430\u0440\u043e\u043b',
  ],
  ...[
    '\u03ba\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2',
    '\u5bc6\u7801',
    '\u5bc6\u78bc',
    '\u30d1\u30b9\u30ef\u30fc\u30c9',
    '\ube44\ubc00\ubc88\ud638',
    'm\u1eadt kh\u1ea9u',
  ],
  ...[
    'kata sandi',
    '\u0e23\u0e2b\u0e31\u0e2a\u0e1c\u0e48\u0e32\u0e19',
    '\u05e1\u05d9\u05e1\u05de\u05d4',
    '\u0643\u0644\u0645\u0629 \u0627\u0644\u0645\u0631\u0648\u0631',
    'palavra-passe',
    'clave',
  ],
]

const kinds = new Map<string, NameKind>([
  ...[...passwordWords, ...foreignWords].map((word): [string, NameKind] => [word, 'password']),
  ...secretWords.map((word): [string, NameKind] => [word, 'secret']),
])

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** Words the scan stops at, in the cases that names are written in. */
export const nameTriggers: readonly string[] = [
  ...new Set(
    [...passwordWords, ...secretWords, ...foreignWords, 'passWord']
      .flatMap((word) => [word, word.toUpperCase(), capitalized(word)])
      .filter((word) => kinds.has(word.toLowerCase())),
  ),
]

// A key is a credential only when its name says what it opens.
const keyQualifiers = new Set(
  (
    'api access secret private auth authentication signing sign encryption encrypt decrypt decryption crypto master service account ' +
    'storage shared consumer app application admin client webhook deploy license licence subscription server write hmac aes jwt ' +
    'session integration ingest ingestion personal root security rest license bot billing developer dev prod production live sandbox ' +
    'device host function functions search user partner merchant payment gateway license django flask rails fernet cipher seal ' +
    'unseal vault recovery base functions telemetry instrumentation project org team workspace sk x internal token hash_hmac'
  ).split(' '),
)
// These take a longer word to their left only when it is one of their own.
const wholeWords = new Set(['key', 'pass', 'pw', 'auth', 'sas', 'psw', 'jwt', 'mdp', 'dsn', 'clave'])
const ordinaryWords = new Set(['pass', 'auth', 'pw', 'sas', 'dsn', 'clave', 'authorization', 'credentials'])
const passQualifiers = new Set(
  'db user my smtp mail ftp ssh root admin sql http proxy api app auth login key store'.split(' '),
)
const authSuffixes = new Set('token key secret header'.split(' '))

const blockers = new Set(
  (
    'public publishable pub pk csrf xsrf cache primary foreign sort partition page next continuation cursor site idempotency hash ' +
    'hashed encrypted object map dict registry translation i18n label placeholder missing invalid forgot forgotten no without max min ' +
    'num count total special eos bos pad unk mask stop start prompt completion input output sync anti verification host known ' +
    'public_key row column json unique composite natural surrogate'
  ).split(' '),
)
const suffixes = new Set(
  (
    'key access secret token value val string str env prod production dev development staging stage test live old new current backup ' +
    'primary secondary main default plain plaintext text raw b64 base64 hex data literal password passwd pwd pass credential credentials ' +
    'auth bearer hmac v1 v2 us eu one two a b db user admin root api app s is content here below for my the our was prd uat qa local ' +
    'override arg param parameter property field input'
  ).split(' '),
)
const noValueSuffixes = new Set(['field', 'input', 'parameter', 'param', 'arg', 'property'])

/** Triggers as they are mostly written, to their entry in `kinds`. */
const plainWords: ReadonlyMap<string, string> = new Map(nameTriggers.map((word) => [word, word.toLowerCase()]))

const left = 48
const right = 32

/** The identifier, or the words, around a trigger; undefined when the trigger is only the beginning of a longer word. */
export function nameSpanAt(text: string, start: number, end: number): NameSpan | undefined {
  return runsOn(text, start, end) ? undefined : { start: nameStart(text, start), end: nameEnd(text, end) }
}

/** Purpose of a name around a trigger word at `start`..`end`; undefined when the whole name means another thing. */
export function credentialNameAt(text: string, { start, end }: NameSpan, span: NameSpan): CredentialName | undefined {
  const written = text.slice(start, end)
  const word = plainWords.get(written) ?? written.toLowerCase().replace(/\s/g, ' ')
  const kind = kinds.get(word)
  if (kind === undefined) return undefined
  const before = wordsOf(text.slice(span.start, start))
  const isGlued = start > span.start && isLetter(text.charCodeAt(start - 1)) && !isHump(text, start)
  if (!fitsLeft(word, before, isGlued ? before.at(-1) : undefined)) return undefined
  const after = wordsOf(text.slice(end, span.end))
  return fitsRight(word, after) ? { kind: kindOf(kind, after), ordinary: ordinaryWords.has(word) } : undefined
}

/** `password_key` and `pass_token` are made by machines like any key. */
const kindOf = (kind: NameKind, after: readonly string[]): NameKind =>
  after.some((word) => word === 'key' || word === 'token') ? 'secret' : kind

function fitsLeft(word: string, before: readonly string[], glued: string | undefined): boolean {
  if (before.slice(-3).some((each) => blockers.has(each))) return false
  if (glued !== undefined && wholeWords.has(word)) {
    const own = word === 'pass' || word === 'pw' ? passQualifiers : word === 'key' ? keyQualifiers : undefined
    return own?.has(glued) ?? false
  }
  return word !== 'key' || keyQualifiers.has(before.at(-1) ?? '')
}

function fitsRight(word: string, after: readonly string[]): boolean {
  if (word === 'auth' && after.length > 0) return authSuffixes.has(after.at(-1) ?? '')
  return after.every((each) => (suffixes.has(each) && !noValueSuffixes.has(each) ? true : /^\d{1,3}$/.test(each)))
}

/** Whether the trigger is only the beginning of a longer word: `tokenize`, `secretary`, `KEYBOARD`; a plural is not. */
function runsOn(text: string, start: number, end: number): boolean {
  const next = text.charCodeAt(end)
  if (!isLetter(next)) return false
  const isLower = next >= 97
  if (isLower && text[end] === 's' && !isLetter(text.charCodeAt(end + 1))) return false
  const last = text.charCodeAt(end - 1)
  const first = text.charCodeAt(start)
  return isLower || (last >= 65 && last <= 90 && first >= 65 && first <= 90)
}

/** A capital after a small letter begins a new word of a camelCase name. */
const isHump = (text: string, at: number): boolean =>
  text.charCodeAt(at) >= 65 && text.charCodeAt(at) <= 90 && text.charCodeAt(at - 1) >= 97

const isLetter = (code: number): boolean => (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const isNameUnit = (code: number): boolean =>
  isLetter(code) || isDigit(code) || code === 95 || code === 45 || code === 46

/** Back over the identifier and, for names written as words, over at most two words before it. */
function nameStart(text: string, at: number): number {
  let start = at
  for (let blanks = 0; start > 0 && at - start < left; start -= 1) {
    const code = text.charCodeAt(start - 1)
    if (code === 32 && blanks < 2 && isLetter(text.charCodeAt(start - 2))) blanks += 1
    else if (!isNameUnit(code)) break
  }
  return start
}

function nameEnd(text: string, at: number): number {
  let end = at
  while (end - at < right && isNameUnit(text.charCodeAt(end))) end += 1
  while (end > at && (text[end - 1] === '.' || text[end - 1] === '-')) end -= 1
  return end
}

const wordsOf = (name: string): string[] =>
  name === '' ? [] : (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).map((word) => word.toLowerCase())
