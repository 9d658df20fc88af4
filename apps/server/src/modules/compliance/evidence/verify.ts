/** Verifies the chain of a tenant page by page, in constant memory. Tested in evidence.test.ts; measured by bench/compliance.mjs. */
import { genesis } from '../../../kernel/audit/chain.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { firstBroken, type Head, type LinkRow } from './chain.ts'
import type { Verdict, VerifyScope } from './find.ts'

const pageSize = 5_000

/** @param from the first seq that is looked at */
export async function verifyChain({ db }: Pick<Kernel, 'db'>, { tenantId }: VerifyScope, from = 1): Promise<Verdict> {
  const [before] = await db.read(tenantId, sql<Head>`select seq, hash from compliance_record where seq = ${from - 1}`)
  let head: Head = before ?? { seq: from - 1, hash: genesis }
  for (;;) {
    const rows = await db.read(
      tenantId,
      sql<LinkRow>`
        select seq, record, prev_hash, hash from compliance_record where seq > ${head.seq} order by seq limit ${pageSize}`,
    )
    const broken = firstBroken(rows, head)
    const last = rows.at(-1)
    if (broken !== null || last === undefined)
      return { intact: broken === null, from_seq: from, to_seq: head.seq, first_broken_seq: broken }
    head = { seq: last.seq, hash: last.hash }
  }
}
