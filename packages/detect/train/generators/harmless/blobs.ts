/** Made-up machine text that looks encoded: tokens, digests, certificates, images, minified scripts, dumps. */
import type { Random } from '../../rows/random.ts'

const base64Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const hexLetters = '0123456789abcdef'

function letters(alphabet: string, count: number, random: Random): string {
  return Array.from({ length: count }, () => alphabet.charAt(random.below(alphabet.length))).join('')
}

const hex = (count: number, random: Random): string => letters(hexLetters, count, random)
const base64 = (count: number, random: Random): string => letters(base64Letters, count, random)

const toUrl = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_')

function jsonWebToken(random: Random): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = {
    sub: String(random.below(1e6)),
    role: random.pick(['user', 'admin', 'viewer']),
    iat: 1.6e9 + random.below(1e8),
  }
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${toUrl(base64(43, random))}`
}

function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((size) => hex(size, random)).join('-')
}

function certificate(random: Random): string {
  const rows = Array.from({ length: 5 + random.below(12) }, () => base64(64, random))
  return `-----BEGIN CERTIFICATE-----\nMIID${base64(60, random)}\n${rows.join('\n')}\n-----END CERTIFICATE-----`
}

function svgPath(random: Random): string {
  const point = (): string => `${random.below(400) / 10} ${random.below(400) / 10}`
  const steps = Array.from(
    { length: 5 + random.below(30) },
    () => `${random.pick(['L', 'C', 'q', 'h', 'a', 'l'])}${point()}`,
  )
  return `<svg viewBox="0 0 40 40"><path d="M${point()}${steps.join('')}z"/></svg>`
}

function minified(random: Random): string {
  const name = (): string => letters('abcdefghijklmnop', 1, random)
  const calls = Array.from({ length: 6 + random.below(20) }, () =>
    random.pick([
      `function ${name()}(${name()},${name()}){return ${name()}[${name()}]||0}`,
      `var ${name()}=${random.below(99)},${name()}="${base64(8, random)}"`,
      `${name()}&&${name()}.apply(this,arguments)`,
      `for(;${name()}<${random.below(256)};)${name()}^=${name()}++`,
    ]),
  )
  return `!function(){"use strict";${calls.join(';')}}();`
}

function dump(random: Random): string {
  return Array.from({ length: 3 + random.below(10) }, (_, i) => {
    const bytes = Array.from({ length: 16 }, () => random.below(256))
    const shown = bytes.map((byte) => (byte > 32 && byte < 127 ? String.fromCharCode(byte) : '.')).join('')
    return `${(i * 16).toString(16).padStart(8, '0')}  ${bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' ')}  |${shown}|`
  }).join('\n')
}

function lockEntry(random: Random): string {
  return `"node_modules/${letters('abcdefghijkl', 6, random)}": {"version": "${random.below(9)}.${random.below(20)}.0", "integrity": "sha512-${base64(86, random)}=="}`
}

function braille(random: Random): string {
  return Array.from({ length: 10 + random.below(60) }, () =>
    random.chance(0.15) ? ' ' : String.fromCharCode(0x2801 + random.below(62)),
  ).join('')
}

const blobs: readonly ((random: Random) => string)[] = [
  jsonWebToken,
  uuid,
  certificate,
  svgPath,
  minified,
  dump,
  lockEntry,
  braille,
  (random) => `sha256:${hex(64, random)}`,
  (random) => `md5 ${hex(32, random)}  image-${random.below(99)}.iso`,
  (random) => `data:image/png;base64,iVBORw0KGgo${base64(80 + random.below(300), random)}=`,
  (random) => `data:font/woff2;base64,d09GMg${base64(80 + random.below(200), random)}`,
  (random) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5${base64(44, random)} me@laptop`,
  (random) =>
    `https://example.org/f?id=${hex(24, random)}&sig=${toUrl(base64(43, random))}&next=%2Fhome%3Ftab%3D${random.below(9)}`,
  (random) =>
    `color: #${hex(6, random)}; background: #${hex(3, random)}; --accent: rgb(${random.below(256)}, ${random.below(256)}, 0)`,
  (random) => `ETag: W/"${hex(20, random)}"\nSet-Cookie: s=${toUrl(base64(32, random))}; HttpOnly`,
  (random) =>
    Array.from({ length: 4 + random.below(12) }, () => random.below(256).toString(2).padStart(8, '0')).join(' '),
  (random) => Array.from({ length: 8 + random.below(40) }, () => random.below(1000)).join(', '),
  (random) =>
    `MAC ${letters(hexLetters, 12, random).replace(/(..)(?!$)/g, '$1:')} IPv6 2001:db8::${hex(4, random)}:${hex(4, random)}`,
  (random) => `GATTACA ${letters('ACGT', 60 + random.below(200), random)}`,
  (random) =>
    `1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 ${random.pick(['4. Ba4 Nf6', '4. Bxc6 dxc6'])} FEN ${letters('rnbqkpRNBQKP12345678', 8, random)}/8/8/8 w - - 0 ${random.below(40)}`,
]

const questions = [
  '',
  '',
  '',
  'What is this?',
  'Is this safe to share?',
  'Which format is it?',
  'Why is it so long?',
  'I found this in my config:',
  'Explain the parts:',
  'Please decode.',
  'Does it contain personal data?',
]

/** A piece of machine text, half of the time with a question. */
export function blob(random: Random): string {
  const text = random.pick(blobs)(random)
  const question = random.pick(questions)
  if (question === '') return text
  return random.chance(0.5) ? `${question}\n${text}` : `${text}\n${question}`
}
