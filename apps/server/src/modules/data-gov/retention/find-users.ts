/** Accounts of a person by identifiers, and identifiers by accounts, through the aliases that tables declare. */
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const most = 100

export interface FoundUsers {
  readonly ids: readonly string[]
  /** Identifiers that rows of these accounts hold beside those that were given. */
  readonly aliases: readonly string[]
}

export async function findUsers(
  { dataRegistry }: Pick<Kernel, 'dataRegistry'>,
  tx: Tx,
  given: readonly string[],
): Promise<FoundUsers> {
  const ids = new Set(given.filter((value) => uuid.test(value)).map((value) => value.toLowerCase()))
  const aliases = new Set<string>()
  // Once for the accounts, and once more for what their rows name.
  for (let round = 0; round < 2; round += 1)
    for (const { table, scope, owner, aliases: columns } of dataRegistry.declarations) {
      if (scope !== 'tenant' || owner === null || columns.length === 0) continue
      const subject = { userIds: [...ids], aliases: [...given, ...aliases] }
      const { rows } = await dataRegistry.rowsOf(tx, subject, { table, relation: 'owned', limit: most })
      for (const row of rows) {
        const id = row[owner]
        if (typeof id === 'string' && uuid.test(id)) ids.add(id.toLowerCase())
        for (const { column } of columns) {
          const value = row[column]
          if (typeof value === 'string' && value.length >= 3) aliases.add(value)
        }
      }
    }
  return { ids: [...ids], aliases: [...aliases] }
}
