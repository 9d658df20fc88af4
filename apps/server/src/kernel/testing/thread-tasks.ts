/** Tasks that do what tasks of the pool may do, well and badly. */
import type { ThreadTask } from '../threads/thread-task.ts'

/** Set to 1 by a task once it runs. */
export type Begun = Int32Array

export const double: ThreadTask<number, number> = { name: 'test.double', run: (n) => n * 2 }

export const thread: ThreadTask<null, number> = { name: 'test.thread', run: () => threadCount() }

let served = 0
/** Grows by one with each call in the same thread. */
function threadCount(): number {
  served += 1
  return served
}

export const refuse: ThreadTask<string, never> = {
  name: 'test.refuse',
  run: (words) => {
    throw new RangeError(words)
  },
}

/** Works until it is asked to stop. */
export const patient: ThreadTask<Begun, number> = {
  name: 'test.patient',
  run: (begun, { stopped }) => {
    Atomics.store(begun, 0, 1)
    let turns = 0
    while (!stopped()) turns += 1
    Atomics.store(begun, 0, 2)
    return turns
  },
}

/** Works until a number is shared with it, and listens to nothing else. */
export const deaf: ThreadTask<Begun, string> = {
  name: 'test.deaf',
  run: (begun) => {
    Atomics.store(begun, 0, 1)
    while (Atomics.load(begun, 0) === 1);
    return 'released'
  },
}

export const die: ThreadTask<null, never> = { name: 'test.die', run: () => process.exit(3) }

export const unsendable: ThreadTask<null, unknown> = { name: 'test.unsendable', run: () => () => undefined }

export const testTasks = [double, thread, refuse, patient, deaf, die, unsendable] as const
