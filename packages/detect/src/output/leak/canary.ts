/**
 * Tokens that mark a system prompt: an output with such a token contains the prompt.
 * Randomness comes from the caller; 128 bits make an accidental match impossible. Tested in canary.test.ts.
 */
export type CanaryStyle = 'plain' | 'comment' | 'zero-width' | 'tags'

export interface Canary {
  /** Text to insert into the system prompt. */
  readonly text: string
  /** Token to search for in the answer. */
  readonly token: string
}

// Base 32 without i, l, o and u, as in Crockford's: models copy it without mistakes.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * Makes a canary of 16 random bytes: in plain sight, as an HTML comment, as zero-width characters or as tag characters.
 * @throws RangeError for fewer than 16 bytes.
 */
export function createCanary(random: Uint8Array, { style }: { readonly style: CanaryStyle }): Canary {
  if (random.length < 16) throw new RangeError('A canary needs 16 random bytes.')
  const token = base32(random.subarray(0, 16))
  return { text: writers[style](token), token }
}

const writers: Readonly<Record<CanaryStyle, (token: string) => string>> = {
  plain: (token) => `[${token}]`,
  comment: (token) => `<!-- ${token} -->`,
  'zero-width': zeroWidth,
  tags: (token) => [...token].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join(''),
}

/** ASCII text as bits: zero width space is 0, zero width non-joiner is 1. */
export function zeroWidth(token: string): string {
  return [...token]
    .map((char) => (char.charCodeAt(0) & 0xff).toString(2).padStart(8, '0'))
    .join('')
    .replaceAll('0', '\u200b')
    .replaceAll('1', '\u200c')
}

function base32(bytes: Uint8Array): string {
  let bits = 0
  let held = 0
  let text = ''
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += alphabet.charAt((held >> (bits - 5)) & 31)
    held &= 31
  }
  return bits > 0 ? text + alphabet.charAt((held << (5 - bits)) & 31) : text
}
