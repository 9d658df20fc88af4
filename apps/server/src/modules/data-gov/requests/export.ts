/**
 * The data of a person as a file for the person: one JSON object a line, first what the file is and last how many rows of
 * each table it has. Credentials and hashes are left out, encrypted content is opened, and rows of other people that only
 * name the person are not in it. Tested in requests.test.ts.
 */
import type { TenantId } from '../../../kernel/access/actor.ts'
import type { RegisteredData } from '../../../kernel/data-registry/declarations.ts'
import { sql } from '../../../kernel/db/sql.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { consentHistory, consents } from '../declared/consent-tables.ts'
import type { RunRow } from '../declared/retention-schema.ts'
import { cellText } from '../services/cells.ts'
import type { Person } from './erase.ts'

const pageRows = 200
/** Categories whose rows are credentials of the person or keys, which no export may carry. */
const withheld: ReadonlySet<string> = new Set(['credential', 'credential_index', 'key'])
const secretColumn = /(^|_)(hash|secret|token|password|key|digest|salt|wrapped|sha256|jti)(_|$)/

export interface Exporting {
  readonly tenantId: TenantId
  readonly run: RunRow
  readonly person: Person
}

/** Lines of the file, as bytes. */
export async function* exportLines(kernel: Kernel, exporting: Exporting): AsyncGenerator<Uint8Array> {
  const { run } = exporting
  yield line({
    form: 'parapet/subject-export/1',
    run_id: run.id,
    request_type: run.request_type,
    made_at: kernel.clock.iso(),
  })
  const counts: Record<string, number> = {}
  for (const declared of kernel.dataRegistry.declarations.filter(isExported))
    for await (const row of rowsOf(kernel, exporting, declared)) {
      counts[declared.table] = (counts[declared.table] ?? 0) + 1
      yield line({ table: declared.table, category: declared.category, row })
    }
  for (const record of await consentsOf(kernel, exporting)) {
    counts.data_gov_consent = (counts.data_gov_consent ?? 0) + 1
    yield line({ table: 'data_gov_consent', category: 'consent', row: record })
  }
  yield line({ rows: counts })
}

const line = (value: unknown): Uint8Array => Buffer.from(`${JSON.stringify(value)}\n`)

const isExported = ({ scope, category, owner, aliases, isCopy }: RegisteredData): boolean =>
  scope === 'tenant' && !withheld.has(category) && !isCopy && (owner !== null || aliases.length > 0)

async function* rowsOf(
  kernel: Kernel,
  { tenantId, person }: Exporting,
  declared: RegisteredData,
): AsyncGenerator<object> {
  for (let after: readonly string[] | null = null; ; ) {
    const page: Awaited<ReturnType<Kernel['dataRegistry']['rowsOf']>> = await kernel.db.tenant(
      { tenantId, readOnly: true },
      (tx) =>
        kernel.dataRegistry.rowsOf(tx, person, { table: declared.table, relation: 'owned', limit: pageRows, after }),
    )
    for (const row of page.rows) yield await shownRow(kernel, tenantId, { declared, row })
    if (page.next === null) return
    after = page.next
  }
}

interface Shown {
  readonly declared: RegisteredData
  readonly row: Readonly<Record<string, unknown>>
}

async function shownRow(kernel: Kernel, tenantId: TenantId, { declared, row }: Shown): Promise<object> {
  const shown: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) {
    if (column === 'tenant_id' || secretColumn.test(column)) continue
    shown[column] =
      value instanceof Uint8Array ? await cellText(kernel, tenantId, { table: declared.table, column, row }) : value
  }
  return shown
}

async function consentsOf({ db }: Kernel, { tenantId, run }: Exporting): Promise<readonly object[]> {
  if (run.subject_id === null) return []
  return db.tenant({ tenantId, readOnly: true }, async (tx) => {
    const rows = await tx.query(sql<{ id: string } & Record<string, unknown>>`
      select ${consents.columns} from data_gov_consent where subject_id = ${run.subject_id} order by id`)
    const events = await tx.query(sql<{ consent_id: string } & Record<string, unknown>>`
      select ${consentHistory.columns} from data_gov_consent_event
      where consent_id = any(${rows.map(({ id }) => id)}::uuid[]) order by occurred_at, id`)
    return rows.map((row) => ({ ...row, events: events.filter((event) => event.consent_id === row.id) }))
  })
}
