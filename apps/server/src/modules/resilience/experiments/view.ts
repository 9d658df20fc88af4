/** Experiments as they are shown. Tested in experiments.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { readJournal } from '../chaos/journal.ts'
import type { ActiveExperiments, Compared, Experiment, ExperimentRow } from '../declared/experiment-schema.ts'
import { experiments } from '../declared/experiment-tables.ts'
import { leverState } from './lever.ts'
import { nextRunOf } from './schedule.ts'

export async function experimentView(tx: Tx, row: ExperimentRow, since = 0): Promise<Experiment> {
  return { ...shownOf(row), next_run_at: await nextRunOf(tx, row), journal: await readJournal(tx, row, since) }
}

function shownOf(row: ExperimentRow): Omit<Experiment, 'next_run_at' | 'journal'> {
  const { version: _v, stop_wanted: _s, claimed_calls: _c, criticality: _k, ...shown } = row
  return { ...shown, compared: comparedOf(row) }
}

/** The prediction of when the experiment was made, beside the recovery that it measured. */
function comparedOf({ expected, measured }: ExperimentRow): Compared[] {
  const rto = measured?.rto_minutes ?? null
  return expected.predicted.map((predicted) => ({
    ...predicted,
    measured_rto_minutes: rto,
    within_p95: rto === null || predicted.rto_p95_minutes === null ? null : rto <= predicted.rto_p95_minutes,
  }))
}

/** Experiments that run now, without their journals, and the levers. */
export async function activeExperiments(tx: Tx, platformStopped: boolean): Promise<ActiveExperiments> {
  const rows = await tx.query(sql<ExperimentRow>`
    select ${experiments.columns} from resilience_experiment
    where status in ('ready', 'checking', 'injecting', 'recovering') order by id limit 100`)
  return {
    lever: await leverState(tx, platformStopped),
    experiments: rows.map((row) => ({ ...shownOf(row), next_run_at: null, journal: [] })),
  }
}
