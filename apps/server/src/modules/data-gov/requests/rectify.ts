/**
 * Corrects data of a person: the name of the account, and identifiers in the ledger of consents, which count for the next
 * decision. Then the old texts are searched everywhere. Records of what was said and done stay as they are, and the
 * account's address is changed by its owner in IAM; both are named. Tested in rectify.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { JobContext } from '../../../kernel/module/module.ts'
import { consentTopic, keyOf } from '../consent/memory.ts'
import type { Correction, Residue, RunRow, Verification } from '../declared/retention-schema.ts'
import { runs } from '../declared/retention-tables.ts'
import type { DataGovServices } from '../services/data-gov-services.ts'
import { noteResults } from './erase.ts'
import { openSealed, personIn } from './people.ts'
import { searchEverywhere } from './search.ts'

const account = 'iam_user'
const method = 'Full text of all rows and decrypted values, by the texts that were corrected'
const record = 'kept as a record of what was said or done'

export async function fulfilRectification(
  { services, tenantId, complete }: JobContext<DataGovServices>,
  run: RunRow,
): Promise<void> {
  const { kernel } = services
  const { aliases, corrections } = await openSealed(kernel, run)
  const { userIds } = await kernel.db.tenant({ tenantId, readOnly: true }, (tx) => personIn(kernel, tx, aliases))
  const pairs = await Promise.all(corrections.map((one) => hashedPair(services, tenantId, one)))
  await kernel.db.tenant({ tenantId }, async (tx) => {
    let [names, identifiers] = [0, 0]
    for (const { from, to } of corrections)
      for (const userId of userIds) if (await services.iam.correctName(tx, { userId, from, to })) names += 1
    for (const pair of pairs) identifiers += await correctAlias(tx, run, pair)
    const counts = { [account]: names, data_gov_alias: identifiers }
    await noteResults(tx, run.id, Object.fromEntries(Object.entries(counts).filter(([, rows]) => rows > 0)))
  })
  const verification = await verificationOf(services, tenantId, { run, corrections })
  const isOpen = verification.residue.some(({ ground }) => ground === null)
  await complete(async (tx) => {
    const status = isOpen ? 'partial' : 'completed'
    await runs.patchVersion(tx, run.id, {
      ...{ status, verification, completed_at: kernel.clock.iso() },
      sealed_aliases: isOpen ? run.sealed_aliases : null,
    })
    await tx.audit('data_gov.retention_run.create', { target: `data_gov_run:${run.id}`, after: { status } })
  })
}

interface Pair {
  readonly from: string
  readonly to: string
}

async function hashedPair({ hashOf }: DataGovServices, tenantId: TenantId, { from, to }: Correction): Promise<Pair> {
  return { from: await hashOf(tenantId, keyOf(from)), to: await hashOf(tenantId, keyOf(to)) }
}

/** An identifier that is another person's already is left alone: two people do not become one by a correction. */
async function correctAlias(tx: Tx, { subject_id: subject }: RunRow, { from, to }: Pair): Promise<number> {
  if (subject === null || from === to) return 0
  const owner = await tx.first(sql<{ subject_id: string }>`select subject_id from data_gov_alias where hash = ${to}`)
  if (owner !== null && owner.subject_id !== subject) return 0
  const changed =
    owner === null
      ? await tx.execute(sql`update data_gov_alias set hash = ${to} where hash = ${from} and subject_id = ${subject}`)
      : await tx.execute(sql`delete from data_gov_alias where hash = ${from} and subject_id = ${subject}`)
  if (changed > 0) await tx.announce(consentTopic, '*')
  return changed
}

interface Verifying {
  readonly run: RunRow
  readonly corrections: readonly Correction[]
}

async function verificationOf(
  { kernel }: DataGovServices,
  tenantId: TenantId,
  { run, corrections }: Verifying,
): Promise<Verification> {
  const values = corrections.map(({ from }) => from)
  const { mentions, counts } = await searchEverywhere(kernel, { tenantId, values, runId: run.id, withFiles: false })
  const residue = mentions.map(
    ({ table, keys }): Residue => ({
      ...{ place: table.name, rows: keys.length, ground: table.name === account ? null : record },
    }),
  )
  return {
    ...{ method, tables: counts.tables, rows: counts.rows, sealed_values: counts.sealed, blobs: 0, blob_bytes: 0 },
    residue,
  }
}
