/** The guardrails that a dry run tries, and those that run now to compare them with. */
import type { Tx } from '../../../../kernel/db/port.ts'
import { sql } from '../../../../kernel/db/sql.ts'
import { apiErrors } from '../../../../kernel/errors/errors.ts'
import { checkDefinition, definitionOf, invalid, storedDefinition } from '../authoring/definition.ts'
import { versionOf } from '../authoring/view.ts'
import type { GuardrailRow } from '../declared/schema.ts'
import { guardrails } from '../declared/tables.ts'
import { stageOf } from '../engine/compile.ts'
import { emptySet, type LiveGuardrail, type LiveSet, liveSet } from '../engine/live-set.ts'
import type { Evaluate } from './schema.ts'

export interface Candidates {
  readonly stage: 'input' | 'output' | 'tool'
  readonly tried: LiveSet
  readonly running: LiveSet
}

const draftId = '00000000-0000-4000-8000-000000000000'
const whole = { mode: 'enforce', percent: 100, isBase: false } as const

/** @throws API-001, API-013, AEGIS-004, AEGIS-006, AEGIS-017 */
export async function candidatesOf(tx: Tx, input: Evaluate): Promise<Candidates> {
  if ((input.guardrail === undefined) === (input.guardrail_ids === undefined))
    throw invalid('Give either a draft or ids of stored guardrails.', '/guardrail')
  if (input.guardrail_id !== undefined && input.guardrail === undefined)
    throw invalid('This names the guardrail that a draft is to be a version of.', '/guardrail_id')
  const ids = input.guardrail_ids ?? (input.guardrail_id === undefined ? [] : [input.guardrail_id])
  const rows = await rowsOf(tx, ids)
  const tried = input.guardrail === undefined ? rows.map(newestOf) : [draftOf(input.guardrail, rows[0])]
  const [first] = tried
  const stage = stageOf(first?.kind ?? 'tool')
  if (tried.some(({ kind }) => stageOf(kind) !== stage))
    throw invalid(
      'Guardrails of one dry run are asked at the same stage: input, output, or tool and flow.',
      '/guardrail_ids',
    )
  return { stage, tried: liveSet(tried), running: rows.length === 0 ? emptySet : liveSet(await runningOf(tx, rows)) }
}

/** @throws API-013 */
async function rowsOf(tx: Tx, ids: readonly string[]): Promise<readonly GuardrailRow[]> {
  if (ids.length === 0) return []
  const rows = await tx.query(sql<GuardrailRow>`
    select ${guardrails.columns} from aegis_guardrail where id = any(${[...ids]}::uuid[]) order by id`)
  if (rows.length < new Set(ids).size) throw apiErrors.notFound({ what: 'guardrail' })
  return rows
}

const newestOf = (row: GuardrailRow): LiveGuardrail => ({
  ...{ id: row.id, name: row.name, kind: row.kind, version: row.latest_version, definition: storedDefinition(row) },
  ...whole,
})

function draftOf(draft: NonNullable<Evaluate['guardrail']>, row: GuardrailRow | undefined): LiveGuardrail {
  if (row !== undefined && row.kind !== draft.kind)
    throw invalid(`The guardrail is of the kind ${row.kind}, and so are its versions.`, '/guardrail/kind')
  const definition = definitionOf(draft)
  checkDefinition(draft.kind, definition, '/guardrail')
  return {
    ...{ id: row?.id ?? draftId, name: draft.name ?? row?.name ?? 'draft', kind: draft.kind },
    ...{ version: (row?.latest_version ?? 0) + 1, definition, ...whole },
  }
}

async function runningOf(tx: Tx, rows: readonly GuardrailRow[]): Promise<readonly LiveGuardrail[]> {
  const running: LiveGuardrail[] = []
  for (const { id, name, kind, status, live_version: number } of rows) {
    const version =
      number === null || (status !== 'monitor' && status !== 'enforce') ? null : await versionOf(tx, id, number)
    if (version !== null)
      running.push({ id, name, kind, version: version.number, definition: version.definition, ...whole })
  }
  return running
}
