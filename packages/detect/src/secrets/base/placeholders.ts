/**
 * Tells values that only stand for a secret: blanks to fill in, manual samples, variables, words about secrets.
 * Promises to judge the value alone, in time linear in it; it does not judge strength. Tested in values.test.ts.
 */
import { createAutomaton } from '../../text/automaton/automaton.ts'
import { distinctUnits, isWordy, textureOf } from './wordiness.ts'

// A value that holds one of these is meant to be replaced, with any other content; in lower case.
const markWords = [
  ...['example', 'sample', 'placeholder', 'replace', 'redacted', 'your', 'insert', 'dummy', 'fake', 'todo', 'fixme'],
  ...['change', 'change-', 'change_'].flatMap((verb) => ['me', 'this', 'it'].map((object) => verb + object)),
  ...['secret', 'token', 'password', 'api', 'key'].flatMap((noun) => [`my-${noun}`, `my_${noun}`]),
  ...['notreal', 'not-real', 'not_real', 'not-a-real', 'notasecret', 'not-a-secret', 'not_a_secret', 'goeshere'],
  ...['goes-here', 'goes_here', '-here', '_here', 'lorem', 'foobar', 'qwerty', 'deadbeef', 'c0ffee', 'xxxxx'],
  ...['***', '...', '\u2026', '###', '???', '----', '____', '00000000', '123456789', 'abcdefgh'],
]
const marks = createAutomaton(markWords)
const markShapes = /p[a@]ss?w[o0]rd1?2?3?!?$|<[^>]{0,60}>|\[[a-z _-]{3,40}\]/i

function hasMark(value: string): boolean {
  let isMarked = false
  marks.scan(value.toLowerCase(), () => {
    isMarked = true
    return false
  })
  return isMarked || markShapes.test(value)
}

/** Only words about secrets, numbers and separators: `secret-token-1`, `admin123`. */
const fillers = new Set(
  (
    'password passwd passphrase passwort pass pwd secret secrets token tokens key keys api apikey access auth authentication bearer ' +
    'client credential credentials cred creds test tests testing tester user username usr admin administrator root demo ' +
    'default foo bar baz qux my your the a an some any super strong new old value string str text here me it this is change set ' +
    'sample example dummy fake mock stub placeholder redacted hidden masked private public none null nil undefined true ' +
    'false yes no on off empty unset optional required tbd todo na abc abcd xyz xxx asdf qwerty letmein welcome login ' +
    'db database mysql postgres postgresql postgre redis mongo mongodb guest service app application server local localhost dev ' +
    'development staging prod production env environment config vault mysecret mypassword mytoken secretkey supersecret ' +
    'topsecret bogus invalid valid wrong correct redis rabbitmq elastic changeit changeme minioadmin sa id name code hash ' +
    'salt pepper nonce iv random long generated signing encryption jwt session cookie webhook hmac oauth basic digest file path url type data ' +
    'hello world input prompt object number boolean any bytes buffer array list map void unknown never self var let const'
  ).split(' '),
)

/** Whether a value is a blank, a sample or a variable rather than a secret. */
export function isPlaceholder(value: string): boolean {
  if (hasMark(value) || isMonotonous(value) || isVariable(value)) return true
  const spelled = spelledOut(value)
  return isFilled(value) || (spelled !== value && isFilled(spelled))
}

const spellings: ReadonlyMap<number, string> = new Map(
  [...'0o1i3e4a5s7t@a$s'.matchAll(/(.)(.)/g)].map(([, sign = '', letter = '']) => [sign.charCodeAt(0), letter]),
)

/** `t0pS3cret` as `topSecret`. */
function spelledOut(value: string): string {
  let spelled = ''
  let copied = 0
  for (let i = 0; i < value.length; i += 1) {
    const letter = spellings.get(value.charCodeAt(i))
    if (letter === undefined) continue
    spelled += value.slice(copied, i) + letter
    copied = i + 1
  }
  return spelled + value.slice(copied)
}

const firstWord = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+/

function isFilled(value: string): boolean {
  if (/example|placeholder|changeme|topsecret|supersecret/i.test(value)) return true
  const first = firstWord.exec(value)?.[0]
  if (first === undefined || !fillers.has(first.toLowerCase())) return false
  const words = value.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []
  if (!words.every((word) => fillers.has(word.toLowerCase()))) return false
  const digits = value.match(/\d+/g) ?? []
  return digits.every((group) => group.length <= 4 || isMonotonous(group))
}

// `$NAME`, `${…}`, `%NAME%`, `{{…}}`, `#{…}`, `@…@`, `$(…)`, `__NAME__`, `:name`.
const variable =
  /^\$\{|^\$\(|^\{\{|^#\{|^\{%|^<%|^%[A-Za-z_][A-Za-z0-9_]{0,60}%$|^%\(|^%[sdvq]$|^@[A-Za-z_.]{1,60}@$|^\$[A-Z_][A-Z0-9_]{0,60}$|^\$[a-z_]{1,60}$|^\$\{?[a-z]+[A-Z]?[A-Za-z_]{0,60}\}?$|^__[A-Za-z0-9_]{1,60}__$|^:[a-z_]{1,40}$|^\{[^{}"]{0,60}\}$|^!\w{1,20}$/
const inserted = /\$[{(]|\{\{|\}\}/

const isVariable = (value: string): boolean => variable.test(value) || inserted.test(value)

/** One letter over and over, a row such as `0123456` or `abcdef`, or a short piece repeated. */
export function isMonotonous(value: string): boolean {
  if (value.length < 3) return true
  const distinct = distinctUnits(value)
  if (distinct <= 2 || (value.length >= 16 && distinct < 6)) return true
  return longestRow(value) * 2 > value.length || repeats(value)
}

/** Longest stretch in which every character is the one before plus a fixed step of -1, 0 or 1. */
function longestRow(value: string): number {
  let [longest, row, step] = [1, 1, 9]
  for (let i = 1; i < value.length; i += 1) {
    const next = value.charCodeAt(i) - value.charCodeAt(i - 1)
    const goesOn = next === step && Math.abs(next) <= 1
    row = goesOn ? row + 1 : Math.abs(next) <= 1 ? 2 : 1
    step = next
    longest = Math.max(longest, row)
  }
  return longest
}

/** Made of one piece of at most eight characters three times or more. */
function repeats(value: string): boolean {
  for (let period = 1; period <= 8 && period * 3 <= value.length; period += 1) {
    let at = period
    while (at < value.length && value[at] === value[at - period]) at += 1
    if (at === value.length) return true
  }
  return false
}

const sampleMarks = /example|x{6}|\*{3}|\.{3}|your[-_]|placeholder|0{10}|123456789|abcdefgh/i
const onlyHex = /^[0-9a-f-]+$/i

/** The variable part of a token with a known prefix: whether it is a manual's sample or words, not a key. */
export function isSampleToken(body: string): boolean {
  if (sampleMarks.test(body) || isMonotonous(body.slice(0, 64))) return true
  if (onlyHex.test(body)) return new Set(body).size < 7
  const head = body.slice(0, 96)
  const texture = textureOf(head)
  return texture.distinct < 8 || (texture.digits === 0 && isWordy(head, texture))
}
