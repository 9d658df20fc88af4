import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { activeHolders } from '../rights/administrators.ts'
import { mailNotice } from './jobs.ts'
import type { Notice } from './letters.ts'

const most = 1000

/** A letter to all account administrators of the tenant; returns their ids. Tested in administrators.test.ts. */
export async function tellAdministrators(
  kernel: Kernel,
  tx: Tx,
  { notice, about }: { readonly notice: Notice; readonly about?: string },
): Promise<string[]> {
  const holders = await activeHolders(tx, 'iam:admin', kernel.clock.now())
  const ids = holders.map(({ id }) => id).slice(0, most)
  if (!kernel.mail.configured) return ids
  const people = await tx.query(sql<{ id: string; email: string | null }>`
    select id, email from iam_user where id = any(${ids}::uuid[]) order by id`)
  for (const { id: userId, email: to } of people)
    await mailNotice({ kernel }, tx, { notice, userId, to, ...(about === undefined ? {} : { about }) })
  return ids
}
