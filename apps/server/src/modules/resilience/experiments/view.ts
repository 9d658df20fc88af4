import type { Tx } from '../../../kernel/db/port.ts'
import { sql } from '../../../kernel/db/sql.ts'
import { readJournal } from '../chaos/journal.ts'
import type { ActiveExperiments, Experiment, ExperimentRow } from '../declared/experiment-schema.ts'
import { experiments } from '../declared/experiment-tables.ts'
import { leverState } from './lever.ts'

export async function experimentView(tx: Tx, row: ExperimentRow, since = 0): Promise<Experiment> {
  const { version: _v, stop_wanted: _s, claimed_calls: _c, criticality: _k, ...shown } = row
  return { ...shown, journal: await readJournal(tx, row, since) }
}

/** Experiments that run now, without their journals, and the levers. */
export async function activeExperiments(tx: Tx, platformStopped: boolean): Promise<ActiveExperiments> {
  const rows = await tx.query(sql<ExperimentRow>`
    select ${experiments.columns} from resilience_experiment
    where status in ('ready', 'checking', 'injecting', 'recovering') order by id limit 100`)
  return {
    lever: await leverState(tx, platformStopped),
    experiments: rows.map(({ version: _v, stop_wanted: _s, claimed_calls: _c, criticality: _k, ...shown }) => ({
      ...shown,
      journal: [],
    })),
  }
}
