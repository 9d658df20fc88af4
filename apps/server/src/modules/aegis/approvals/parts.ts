import type { Kernel } from '../../../kernel/kernel.ts'

/** The surroundings of approvals. */
export interface ApprovalParts {
  readonly kernel: Pick<Kernel, 'clock' | 'random'>
}
