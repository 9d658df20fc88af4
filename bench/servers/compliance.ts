/** The whole program for compliance.mjs, on the embedded database; writes a long chain of evidence where it is asked to. */
import type { TenantId } from '../../apps/server/src/kernel/access/actor.ts'
import { sql } from '../../apps/server/src/kernel/db/sql.ts'
import { appendRecords, type Unplaced } from '../../apps/server/src/modules/compliance/evidence/chain.ts'
import { answerUsage } from '../usage.mjs'
import { startWholeProgram } from './whole-program.ts'

const { program, port, token } = await startWholeProgram({ PARAPET_RATE_LIMIT_EXPENSIVE: '100000000' })
const { kernel } = program.assembled
const batch = 2_000

/** Records behind the head, signed as always: versions of the evidence that was sealed last. */
async function lengthen(records: number): Promise<void> {
  const [tenant] = await kernel.db.system('bench', (tx) =>
    tx.query(sql<{ id: string }>`select id from iam_tenant where slug = 'bench'`),
  )
  const tenantId = tenant?.id as TenantId
  for (let done = 0; done < records; done += batch)
    await kernel.db.tenant({ tenantId }, async (tx) => {
      const last = await tx.first(sql<{ record: Unplaced['record']; document: string; number: number }>`
        select record, document, (select max(number) from compliance_record every
          where every.evidence_id = newest.evidence_id)::int as number
        from compliance_record newest order by seq desc limit 1`)
      if (last === null) throw new Error('the chain is empty')
      const { record, document, number } = last
      const wanted = Array.from({ length: Math.min(batch, records - done) }, (_, index) => ({
        ...{ record: { ...record, number: number + index + 1 }, document, blobId: null },
      }))
      await appendRecords(kernel, tx, wanted)
    })
}

process.on('message', async (message: { readonly type: string; readonly records?: number }) => {
  if (message.type !== 'lengthen') return
  await lengthen(message.records ?? 0)
  process.send?.({ type: 'lengthen' })
})
answerUsage({ port, token })
