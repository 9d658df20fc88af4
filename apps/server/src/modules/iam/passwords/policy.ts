/**
 * Rules for acceptable passwords (NIST SP 800-63B-4): long ones that are no early guess, and shorter ones where
 * signing in asks for a second factor as well. No composition rules, no expiry. It compares whole passwords, never parts,
 * apart from words of the account's surroundings. Tested in policy.test.ts and rules.test.ts.
 */
import { errors } from '../errors/errors.ts'
import { lettersOf } from './letters.ts'
import type { PasswordRules } from './rules.ts'

export const maxCodePoints = 256

export const refusalReasons = [
  'too_short',
  'too_long',
  'common',
  'breached',
  'context',
  'sequence',
  'repeat',
  'current',
] as const
export type RefusalReason = (typeof refusalReasons)[number]

export interface PasswordCandidate {
  readonly password: string
  readonly rules: PasswordRules
  /** Tenant name and slug, e-mail address: words an attacker would try for this account. */
  readonly context: readonly string[]
  /** Whether it is known to have been stolen: asked before, as that may take a service and its time. */
  readonly breached: boolean
  /** The password it replaces. */
  readonly current?: string
}

/** Every reason against the password; empty when it is fine. */
export async function passwordRefusals(candidate: PasswordCandidate): Promise<readonly RefusalReason[]> {
  const { rules } = candidate
  const password = candidate.password.normalize('NFC')
  const length = [...password].length
  const refused: Readonly<Record<RefusalReason, boolean>> = {
    too_short: length < rules.minLength,
    too_long: length > maxCodePoints,
    common: samples.has(password.toLowerCase()) || (await commonPasswords()).has(password.toLowerCase()),
    breached: candidate.breached,
    context: isContext(password, [...candidate.context, ...rules.blockedWords]),
    sequence: isSequence(password),
    repeat: isRepeat(password),
    current: candidate.current?.normalize('NFC') === password,
  }
  return refusalReasons.filter((reason) => refused[reason])
}

/**
 * Answers whether the password is good only as long as a second factor stands beside it.
 * @throws IAM-002 with the reasons, and the lengths that hold, as members
 */
export async function assertPassword(candidate: PasswordCandidate): Promise<{ readonly needsFactor: boolean }> {
  const { minLength, minLengthAlone } = candidate.rules
  const reasons = await passwordRefusals(candidate)
  if (reasons.length > 0) {
    const lengths = { min_length: minLength, max_length: maxCodePoints }
    throw errors.passwordRefused({ reasons, ...lengths }).withMembers({ reasons: [...reasons], ...lengths })
  }
  return { needsFactor: [...candidate.password.normalize('NFC')].length < minLengthAlone }
}

/** Passwords from examples, ours and well-known ones, which a person may copy instead of choosing one. */
export const sampleForPassword = '<a passphrase of your own, 15 characters or more>'
const samples: ReadonlySet<string> = new Set([
  sampleForPassword,
  '{{passphrase}}',
  'a long passphrase of yours',
  'your long passphrase here',
  'correct horse battery staple',
  'correcthorsebatterystaple',
])

let common: Promise<ReadonlySet<string>> | null = null

/** Read at first need: the list is large and most processes never see a new password in their first second. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common'].map((word) => String(word).toLowerCase())),
  )
  return common
}

const looksLike: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}
const everywhere = ['parapet', 'password', 'passphrase', 'admin', 'administrator', 'welcome', 'secret', 'login']

/** Whether nothing of substance is left once the words around the account are taken out. */
function isContext(password: string, context: readonly string[]): boolean {
  const words = [...everywhere, ...context.flatMap(contextWords)].sort((a, b) => b.length - a.length)
  const spellings = [lettersOf(password), lettersOf([...password.toLowerCase()].map((c) => looksLike[c] ?? c).join(''))]
  return spellings.some((text) => {
    const rest = words.reduce((left, word) => left.replaceAll(word, ''), text)
    return rest !== text && rest.length < 4
  })
}

function contextWords(text: string): readonly string[] {
  const local = text.includes('@') ? text.slice(0, text.indexOf('@')) : text
  const pieces = local.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return [lettersOf(local), ...pieces.map(lettersOf)].filter((word) => word.length >= 3)
}

const rows = [
  'qwertyuiopasdfghjklzxcvbnm',
  'qwertzuiopasdfghjklyxcvbnm',
  'azertyuiopqsdfghjklmwxcvbn',
  'abcdefghijklmnopqrstuvwxyz',
  '1234567890',
]

/** One run along the alphabet, the digits or a keyboard, either way around, that may wrap. */
function isSequence(password: string): boolean {
  const text = password.toLowerCase()
  if (text.length < 3) return false
  const backward = [...text].reverse().join('')
  return rows.some((row) => {
    const endless = row.repeat(Math.ceil(text.length / row.length) + 1)
    return endless.includes(text) || endless.includes(backward)
  })
}

/** One short piece again and again. */
function isRepeat(password: string): boolean {
  const text = password.toLowerCase()
  const longest = Math.min(8, Math.floor(text.length / 2))
  for (let length = 1; length <= longest; length += 1) {
    const piece = text.slice(0, length)
    if (piece.repeat(Math.ceil(text.length / length)).slice(0, text.length) === text) return true
  }
  return false
}
