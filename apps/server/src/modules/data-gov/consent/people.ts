/**
 * People by keyed hashes of their identifiers. Identifiers that are named together are one person's; those of two people
 * are refused. Tested in consents.test.ts.
 */

import type { Tx } from '../../../kernel/db/port.ts'
import { insertMany } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { newRow } from '../../../kernel/resource/resource.ts'
import type { Alias, SubjectRow } from '../declared/consent-schema.ts'
import { aliases as aliasTable, subjects } from '../declared/consent-tables.ts'
import { errors } from '../errors/errors.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { keyOf } from './memory.ts'

type Parts = Pick<DataGovServices, 'kernel' | 'hashOf'>

/** Keyed hashes of identifiers, each once. Not inside of a transaction: the key may have to be read. */
export async function hashesOf(
  { hashOf }: Pick<Parts, 'hashOf'>,
  tenantId: Tx['tenantId'],
  aliases: readonly Pick<Alias, 'value'>[],
): Promise<readonly string[]> {
  const keys = [...new Set(aliases.map(({ value }) => keyOf(value)))]
  return Promise.all(keys.map((key) => hashOf(tenantId, key)))
}

/** The person that the hashes lead to; null for nobody. @throws DGOV-010 for two people */
export async function personOf(tx: Tx, hashes: readonly string[]): Promise<SubjectRow | null> {
  const found = await tx.query(sql<SubjectRow>`
    select ${subjects.columns} from data_gov_subject
    where id in (select subject_id from data_gov_alias where hash = any(${[...hashes]}::text[])) limit 2`)
  if (found.length > 1)
    throw errors
      .subjectUnclear({ what: 'The identifiers belong to more than one person. Send those of one person.' })
      .at([{ detail: 'names two people', pointer: '/subject/aliases' }])
  return found[0] ?? null
}

/** The person, made where there is none; identifiers that are new become the person's. @throws DGOV-010 */
export async function personFor(
  { kernel }: Pick<Parts, 'kernel'>,
  tx: Tx,
  hashes: readonly string[],
): Promise<SubjectRow> {
  // Two calls with the same new identifier are one person.
  await tx.lock('data_gov.people', tx.tenantId)
  const known = await personOf(tx, hashes)
  const person: SubjectRow = known ?? { ...newRow(kernel, tx), status: 'active', gpc_at: null }
  if (known === null) await subjects.insert(tx, person)
  const had = await tx.query(
    sql<{ hash: string }>`select hash from data_gov_alias where hash = any(${[...hashes]}::text[])`,
  )
  const old = new Set(had.map(({ hash }) => hash))
  const added = hashes.filter((hash) => !old.has(hash))
  await insertMany(
    tx,
    aliasTable,
    added.map((hash) => ({
      ...{ hash, tenant_id: tx.tenantId, subject_id: person.id, created_at: kernel.clock.iso() },
    })),
  )
  return person
}
