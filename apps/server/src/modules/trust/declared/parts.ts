import type { Kernel } from '../../../kernel/kernel.ts'

/** What the rules of this module work with. */
export type TrustParts = Pick<Kernel, 'clock' | 'random' | 'log' | 'trustReports'>
