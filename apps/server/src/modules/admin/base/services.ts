import type { Kernel } from '../../../kernel/kernel.ts'
import type { IamApi } from '../../iam/api.ts'

/** What rules of every part of the module work with; parts that need more ask for it beside this. */
export interface BaseServices {
  readonly kernel: Kernel
  readonly iam: IamApi
}
