/** The timetable of a scheduled experiment. Tested in schedule.test.ts. */
import type { Tx } from '../../../kernel/db/port.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { armSchedule, disarmSchedule, scheduleStates } from '../../../kernel/schedules/schedules.ts'
import type { CronTiming } from '../../../kernel/schedules/timetable.ts'
import type { ExperimentRow } from '../declared/experiment-schema.ts'

export const scheduledKind = 'resilience.scheduled_experiment'
const owner = 'resilience'

type Timetable = NonNullable<ExperimentRow['schedule']>
export const timingOf = ({ cron, time_zone: timeZone }: Timetable): CronTiming => ({ cron, timeZone })
export const timingPointers = { cron: '/schedule/cron', timeZone: '/schedule/time_zone' }

/** @throws API-030, API-031 */
export async function arm(
  kernel: Pick<Kernel, 'clock' | 'jobKinds'>,
  tx: Tx,
  { id, schedule }: Pick<ExperimentRow, 'id' | 'schedule'>,
): Promise<void> {
  if (schedule === null) throw new TypeError('an experiment without a timetable is not armed')
  await armSchedule(kernel, tx, {
    ...{ owner, key: id, kind: scheduledKind, payload: { experiment_id: id }, missedRuns: 'skip' },
    ...{ timing: timingOf(schedule), pointers: timingPointers },
  })
}

export const disarm = (tx: Tx, id: string): Promise<boolean> => disarmSchedule(tx, { owner, key: id })

export async function nextRunOf(tx: Tx, { id, schedule }: Pick<ExperimentRow, 'id' | 'schedule'>) {
  if (schedule === null) return null
  const [state] = await scheduleStates(tx, { owner, keys: [id] })
  return state?.next_at ?? null
}
