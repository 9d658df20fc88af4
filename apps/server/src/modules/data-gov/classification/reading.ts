import type { TenantId } from '../../../kernel/access/actor.ts'
import type { NewScan, ScanRow } from '../declared/scan-schema.ts'
import type { ScannedColumn } from './scan-task.ts'

/** A dataset with a sample of its columns. */
export interface SampledDataset {
  readonly namespace: string
  readonly name: string
  readonly columns: readonly ScannedColumn[]
  /** Rows there are, as far as it is known. */
  readonly population: number
}

export type Connection = Pick<NewScan['source'], 'kind' | 'postgres' | 's3' | 'table'>

/** A source that a job reads. */
export interface Reading {
  readonly tenantId: TenantId
  readonly connection: Connection
  readonly sampling: Pick<ScanRow['sampling'], 'n' | 'seed'>
}
