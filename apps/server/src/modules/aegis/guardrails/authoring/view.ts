import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { Versioned } from '../../../../kernel/module/route.ts'
import { definitionMembers, type Guardrail, type GuardrailRow, type VersionRow } from '../declared/schema.ts'
import { guardrailVersions } from '../declared/tables.ts'

export function guardrailView({ version: _version, ...row }: GuardrailRow, more: Partial<Guardrail> = {}): Guardrail {
  return { ...row, ...more }
}

export const versionedGuardrail = (row: GuardrailRow, more: Partial<Guardrail> = {}): Versioned<Guardrail> =>
  new Versioned(guardrailView(row, more), row.version)

const mostVersions = 100

/** The newest first. */
export async function versionsOf(tx: Tx, guardrailId: string): Promise<readonly VersionRow[]> {
  return tx.query(sql<VersionRow>`
    select ${guardrailVersions.columns} from aegis_guardrail_version where guardrail_id = ${guardrailId}
    order by number desc limit ${mostVersions}`)
}

export function versionOf(tx: Tx, guardrailId: string, number: number): Promise<VersionRow | null> {
  return tx.first(sql<VersionRow>`
    select ${guardrailVersions.columns} from aegis_guardrail_version
    where guardrail_id = ${guardrailId} and number = ${number}`)
}

export function shownVersions(rows: readonly VersionRow[]): NonNullable<Guardrail['versions']> {
  return rows.map(({ number, definition, created_by, created_at }) => ({ number, definition, created_by, created_at }))
}

/** Members of the newest version that differ from the one that runs. */
export function differences(row: GuardrailRow, live: VersionRow | null): NonNullable<Guardrail['diff']> {
  if (live === null) return []
  return definitionMembers.flatMap((member) => {
    const [before, after] = [JSON.stringify(live.definition[member]), JSON.stringify(row[member])]
    return before === after ? [] : [{ member, live: before, latest: after }]
  })
}
