import type { TenantId } from '../../access/actor.ts'
import { createRandom } from '../../crypto/random.ts'
import { createDatabase } from '../database.ts'
import type { Database, Driver, Tx } from '../port.ts'
import { sql } from '../sql.ts'
import type { ContractAdapter } from './contract.ts'
import { contractRecorders } from './contract-schema.ts'

const random = createRandom(() => Date.now())

export const newId = (): string => random.uuid()
export const newTenant = (): TenantId => newId() as TenantId

/** World of the contract's tests. */
export interface ContractWorld {
  readonly db: Database
  readonly driver: Driver
  close(): Promise<void>
}

export async function openWorld(adapter: ContractAdapter): Promise<ContractWorld> {
  const { driver, close } = await adapter.open()
  return { driver, db: createDatabase({ driver, recorders: contractRecorders }), close }
}

export function addNote(tx: Tx, title: string, rank = 1): Promise<number> {
  return tx.execute(sql`
    insert into contract_note (id, title, rank, created_at)
    values (${newId()}, ${title}, ${rank}, ${'2026-11-20T19:13:55.120Z'})`)
}

/** Titles a tenant sees, in order. */
export async function titles(db: Database, tenantId: TenantId): Promise<readonly string[]> {
  const rows = await db.read(tenantId, sql<{ title: string }>`select title from contract_note order by title`)
  return rows.map(({ title }) => title)
}

export async function recorded(db: Database, tenantId: TenantId): Promise<readonly string[]> {
  const rows = await db.read(
    tenantId,
    sql<{ kind: string; text: string }>`select kind, text from contract_record order by id`,
  )
  return rows.map(({ kind, text }) => `${kind}: ${text}`)
}
