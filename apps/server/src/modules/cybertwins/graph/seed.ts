import type { Kernel } from '../../../kernel/kernel.ts'

/** 60 random bits, as a decimal. */
export const seedOf = (random: Pick<Kernel['random'], 'hex'>): string => (BigInt(`0x${random.hex(8)}`) >> 4n).toString()
