import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'

/** Records that a person chose, saw or reset another person's credential; decisions that need two people check it. */
export async function noteCredentialSetter(
  tx: Tx,
  set: { readonly userIds: readonly string[]; readonly by: string; readonly at: string },
): Promise<void> {
  await tx.execute(sql`
    update iam_user set credentials_set_by = ${set.by}, credentials_set_at = ${set.at}
    where id = any(${[...set.userIds]}::uuid[]) and id <> ${set.by}`)
}
