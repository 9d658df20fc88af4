import type { Facts } from '../../../kernel/facts/facts.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { GatewayApi } from '../../gateway/api.ts'
import type { IamApi } from '../../iam/api.ts'
import type { SourceIndexes } from '../postings/indexes.ts'
import type { VectorIndexes } from '../vectors/vector-indexes.ts'

export interface SvcAiServices {
  readonly kernel: Kernel
  readonly gateway: GatewayApi
  readonly iam: IamApi
  readonly facts: () => Facts
  readonly indexes: SourceIndexes
  readonly vectors: VectorIndexes
}
