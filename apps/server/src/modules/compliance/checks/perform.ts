/**
 * Performs checks: reads all their facts in one snapshot, judges them, and seals the runs as evidence with the state of
 * each check and the events of those that changed. Tested in checks.test.ts.
 */
import { canonicalJson } from '../../../kernel/crypto/canonical-json.ts'
import { sha256 } from '../../../kernel/crypto/digest.ts'
import type { TenantScope, Tx } from '../../../kernel/db/port.ts'
import { insertRows } from '../../../kernel/db/rows.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { systemCaller } from '../../../kernel/facts/facts.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { version as platformVersion } from '../../../version.ts'
import { askForScores } from '../declared/ask-for-scores.ts'
import type { CheckRow } from '../declared/check-schema.ts'
import { checkStates } from '../declared/check-table.ts'
import type { EvidenceRow } from '../declared/evidence-schema.ts'
import { evidence } from '../declared/evidence-tables.ts'
import { appendRecords } from '../evidence/chain.ts'
import type { ComplianceServices } from '../services/compliance-services.ts'
import type { CheckDefinition, Reading } from './define.ts'
import { checkFailed, checkRecovered } from './events.ts'
import { type CheckRun, type ReadFact, type RunContext, runCheck, runDocument, type Snapshot } from './run-check.ts'

const dayMs = 86_400_000
const jsonType = 'application/json'

export interface Performance {
  readonly scope: TenantScope
  readonly checks: readonly CheckDefinition[]
  readonly cause: RunContext['cause']
}

/** Gives the evidence of each run, in the order of the checks. */
export async function performChecks(
  services: ComplianceServices,
  { scope, checks, cause }: Performance,
): Promise<readonly EvidenceRow[]> {
  const { kernel } = services
  const read = await kernel.db.tenant({ ...scope, snapshot: true }, (tx) => readAll(services, tx, checks))
  const runs = checks.map((check) => {
    const facts = check.reads.map((reading) => factOf(read, reading))
    const run = runCheck(check, facts, read.snapshot)
    const context = {
      tenantId: scope.tenantId,
      snapshot: read.snapshot,
      platformVersion,
      cause,
      seed: kernel.random.uuid(),
    }
    return { check, run, document: canonicalJson(runDocument(check, facts, run, context)) }
  })
  return kernel.db.tenant(scope, (tx) => sealRuns(kernel, tx, { runs, at: read.snapshot.at, cause }))
}

interface ReadAll {
  readonly snapshot: Snapshot
  readonly facts: ReadonlyMap<string, ReadFact>
}

const keyOf = ({ fact, query = {} }: Reading): string => `${fact} ${JSON.stringify(query)}`

function factOf({ facts }: ReadAll, reading: Reading): ReadFact {
  return facts.get(keyOf(reading)) ?? { fact: reading.fact, query: reading.query ?? {}, reading: null, failure: null }
}

async function readAll(
  { kernel, facts }: ComplianceServices,
  tx: Tx,
  checks: readonly CheckDefinition[],
): Promise<ReadAll> {
  const named = await tx.first(sql<{ id: string }>`select pg_current_snapshot()::text as id`)
  const snapshot = { at: kernel.clock.iso(), id: named?.id ?? '' }
  const wanted = new Map(checks.flatMap(({ reads }) => reads.map((reading) => [keyOf(reading), reading] as const)))
  const found = new Map<string, ReadFact>()
  for (const [key, reading] of wanted) found.set(key, await readOne(facts(), tx, reading))
  return { snapshot, facts: found }
}

async function readOne(
  facts: ReturnType<ComplianceServices['facts']>,
  tx: Tx,
  { fact, query = {} }: Reading,
): Promise<ReadFact> {
  if (!facts.all.has(fact)) return { fact, query, reading: null, failure: null }
  try {
    return { fact, query, reading: await facts.read(tx, fact, { caller: systemCaller, query }), failure: null }
  } catch (error) {
    // A statement that failed has ended the transaction; what is not as declared has not.
    if (error instanceof ProblemError || isFormError(error))
      return { fact, query, reading: null, failure: error.message }
    throw error
  }
}

const isFormError = (error: unknown): error is Error =>
  error instanceof Error && error.message.includes('is not as declared')

interface Run {
  readonly check: CheckDefinition
  readonly run: CheckRun
  readonly document: string
}

interface Sealing {
  readonly runs: readonly Run[]
  readonly at: string
  readonly cause: RunContext['cause']
}

type SealParts = Pick<Kernel, 'clock' | 'random' | 'signingKeys'>

async function sealRuns(kernel: SealParts, tx: Tx, { runs, at, cause }: Sealing): Promise<readonly EvidenceRow[]> {
  const rows = runs.map((run) => evidenceOf(kernel, tx, run, at))
  await tx.lock('compliance.checks', tx.tenantId)
  await supersede(tx, runs)
  await tx.execute(insertRows(evidence, rows))
  const sealed = await appendRecords(
    kernel,
    tx,
    rows.map((row, index) => unplacedOf(row, runs[index]?.document ?? '')),
  )
  const moved = await noteStates(tx, { runs, rows, at, cause })
  if (moved !== undefined) await askForScores(kernel.clock, tx, { kind: 'check', id: moved.id })
  const last = sealed.at(-1)
  await tx.audit('compliance.evidence.create', {
    target: `compliance_chain:${tx.tenantId}`,
    after: {
      checks: runs.map(({ check, run }) => ({ id: check.id, outcome: run.outcome })),
      chain: { seq: last?.seq ?? 0, hash: last?.hash ?? '' },
    },
  })
  return rows
}

function evidenceOf({ random }: SealParts, tx: Tx, { check, document }: Run, at: string): EvidenceRow {
  const until = new Date(Date.parse(at) + check.freshnessDays * dayMs).toISOString()
  return {
    ...{ id: random.uuid(), tenant_id: tx.tenantId, version: 1, created_at: at, updated_at: at },
    ...{ kind: 'check_run', title: check.title, description: null, status: 'accepted', check_id: check.id },
    ...{ source_ref: null, url: null, collected_at: at, valid_from: at, valid_until: until },
    ...{ period_start: null, period_end: null, versions: 1, sha256: sha256(document), created_by: null },
    ...{ reviewed_by: null, reviewed_at: null, warned_days: null },
  }
}

function unplacedOf(row: EvidenceRow, document: string) {
  const { id, kind, title, check_id, source_ref, sha256: digest, collected_at, valid_until } = row
  return {
    record: {
      ...{ evidence_id: id, number: 1, kind, title, check_id, source_ref, sha256: digest, collected_at, valid_until },
      ...{ bytes: Buffer.byteLength(document), media_type: jsonType, file_name: null, actor_id: null },
      scan: 'not_scanned' as const,
    },
    document,
    blobId: null,
  }
}

/** Earlier runs of the same checks. */
async function supersede(tx: Tx, runs: readonly Run[]): Promise<void> {
  await tx.execute(sql`
    update compliance_evidence set status = 'superseded', version = version + 1
    where check_id = any(${runs.map(({ check }) => check.id)}::text[]) and status in ('accepted', 'expired')`)
}

interface Noting extends Sealing {
  readonly rows: readonly EvidenceRow[]
}

/** Gives the first check whose outcome is another one than before. */
async function noteStates(tx: Tx, { runs, rows, at, cause }: Noting): Promise<CheckRow | undefined> {
  const before = new Map(
    (await tx.query(sql<CheckRow>`select ${checkStates.columns} from compliance_check`)).map((row) => [row.id, row]),
  )
  const states = runs.map(({ check, run }, index): CheckRow => {
    const { outcome, population, failed } = run
    const known = before.get(check.id)
    return {
      ...{ tenant_id: tx.tenantId, id: check.id, outcome, severity: check.severity, population, failed, run_at: at },
      due_at: new Date(Date.parse(at) + check.freshnessDays * dayMs).toISOString(),
      // A check whose facts could not be read keeps its earlier failure.
      first_failed_at: outcome === 'pass' || outcome === 'not_evaluated' ? null : firstFailed(outcome, known, at),
      evidence_id: rows[index]?.id ?? null,
    }
  })
  await tx.execute(sql`
    ${insertRows(checkStates, states)} on conflict (tenant_id, id) do update set
      outcome = excluded.outcome, severity = excluded.severity, population = excluded.population,
      failed = excluded.failed, run_at = excluded.run_at, due_at = excluded.due_at,
      first_failed_at = excluded.first_failed_at, evidence_id = excluded.evidence_id`)
  for (const state of states) await tell(tx, state, before.get(state.id) ?? null, cause)
  return states.find((state) => before.get(state.id)?.outcome !== state.outcome)
}

function firstFailed(outcome: CheckRow['outcome'], known: CheckRow | undefined, at: string): string | null {
  return known?.first_failed_at ?? (outcome === 'fail' ? at : null)
}

/** One event when a check fails that had not, and one when it passes again. */
async function tell(tx: Tx, state: CheckRow, before: CheckRow | null, cause: RunContext['cause']): Promise<void> {
  const { id: check_id, severity, population, failed, evidence_id, first_failed_at } = state
  if (evidence_id === null) return
  const data = { check_id, severity, population, failed, evidence_id, first_failed_at, cause }
  const hadFailed = before !== null && before.first_failed_at !== null
  if (state.outcome === 'fail' && !hadFailed) await tx.emit(checkFailed, check_id, data)
  if (state.outcome === 'pass' && hadFailed)
    await tx.emit(checkRecovered, check_id, { ...data, first_failed_at: before?.first_failed_at ?? null })
}
