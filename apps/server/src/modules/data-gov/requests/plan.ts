/** Rows of a person by table, with those that stay and why. Tested in requests.test.ts. */
import { notHeld } from '../../../kernel/data-registry/holds.ts'
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import type { PlanLine } from '../declared/retention-schema.ts'
import { isErasable } from '../retention/registry.ts'
import type { Person } from './erase.ts'

export async function planErasure(kernel: Kernel, tx: Tx, person: Person): Promise<readonly PlanLine[]> {
  const counts = await kernel.dataRegistry.counts(tx, person)
  const lines: PlanLine[] = []
  for (const { table: name, category, owned, named } of counts) {
    const table = kernel.tables.find((one) => one.name === name)
    if (table === undefined) continue
    const condition = kernel.dataRegistry.locate(name, person, 'owned')
    const free =
      condition === null
        ? 0
        : ((
            await tx.first(sql<{ n: number }>`
            select count(*)::int as n from ${table.from} where (${condition}) and ${notHeld(table)}`)
          )?.n ?? 0)
    const goes = isErasable(table) || name === 'iam_user'
    lines.push({
      ...{ table: name, category, matched: owned + named, to_erase: goes ? free : 0 },
      to_keep: [
        ...kept('legal hold', owned - free),
        ...(goes ? [] : kept(groundOf(table.data.basis), free)),
        ...kept('names the person by an id without meaning', named),
      ],
    })
  }
  return lines
}

const kept = (ground: string, rows: number) => (rows > 0 ? [{ ground, rows }] : [])

export const groundOf = (basis: string | undefined): string =>
  `kept by an id without meaning (${(basis ?? 'legitimate_interest').replaceAll('_', ' ')})`
