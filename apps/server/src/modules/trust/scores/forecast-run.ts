import type { Tx } from '../../../kernel/db/port.ts'
import { forecastGrades } from '../engine/explain/forecast.ts'
import type { Snapshot } from '../engine/snapshot.ts'
import { requestRun } from './run-request.ts'

/** Minutes to plan ahead: until the hourly run that comes next has surely planned further. */
const plannedMinutes = 90

/** Asks for a run at the minute in which age alone changes the grade, so that it is told then and not up to an hour later. */
export async function planForecast(tx: Tx, { inputs, result }: Snapshot): Promise<void> {
  const input = { at: inputs.at, score: result, config: inputs.config }
  const [next] = forecastGrades(input, { minutes: plannedMinutes, most: 1 })
  if (next === undefined) return
  await requestRun(tx, { key: 'forecast', payload: { trigger: 'forecast' }, runAt: Date.parse(next.at) })
}
