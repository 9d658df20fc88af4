import type { Kernel } from '../../../kernel/kernel.ts'

/** Kernel services the rules of this module use. */
export type TrustParts = Pick<Kernel, 'clock' | 'random' | 'log' | 'trustReports'>
