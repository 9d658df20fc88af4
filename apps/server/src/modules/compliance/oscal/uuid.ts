import type { Random } from '../../../kernel/crypto/random.ts'

export interface UuidParts {
  readonly random: Pick<Random, 'hex'>
}

/** UUID of version 4: OSCAL takes no version 7. */
export function uuid4({ random }: UuidParts): string {
  const id = random.hex(16)
  return `${id.slice(0, 8)}-${id.slice(8, 12)}-4${id.slice(13, 16)}-a${id.slice(17, 20)}-${id.slice(20, 32)}`
}
