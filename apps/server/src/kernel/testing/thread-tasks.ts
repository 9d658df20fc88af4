/** Tasks that do what tasks of the pool may do, well and badly. */
import { getPriority } from 'node:os'
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

/** The same on the long lane. */
export const deafLong: ThreadTask<Begun, string> = { ...deaf, name: 'test.deaf_long', lane: 'long' }
export const patientLong: ThreadTask<Begun, number> = { ...patient, name: 'test.patient_long', lane: 'long' }
export const threadLong: ThreadTask<null, number> = { ...thread, name: 'test.thread_long', lane: 'long' }

/** Tells that it is half done, and ends when a number is shared with it. */
export const halfway: ThreadTask<Begun, string> = {
  name: 'test.halfway',
  lane: 'long',
  run: (begun, work) => {
    work.progress(0.5)
    return deaf.run(begun, work)
  },
}

/** Niceness of the thread: the higher, the later its turn. */
export const niceness: ThreadTask<null, number> = { name: 'test.niceness', run: () => getPriority() }
export const nicenessLong: ThreadTask<null, number> = { ...niceness, name: 'test.niceness_long', lane: 'long' }

export const doubled: ThreadTask<Float64Array<ArrayBuffer>, Float64Array<ArrayBuffer>> = {
  name: 'test.doubled',
  run: (numbers) => numbers.map((number) => number * 2),
  transfer: ({ buffer }) => [buffer],
}

/** Takes more memory than any thread may. */
export const greedy: ThreadTask<null, never> = {
  name: 'test.greedy',
  run: () => {
    const held: number[][] = []
    for (;;) held.push(Array.from({ length: 10_000 }, Math.random))
  },
}

export const die: ThreadTask<null, never> = { name: 'test.die', run: () => process.exit(3) }

export const unsendable: ThreadTask<null, unknown> = { name: 'test.unsendable', run: () => () => undefined }

export const testTasks = [
  ...[double, thread, refuse, patient, deaf, die, unsendable, halfway, doubled, greedy],
  ...[deafLong, patientLong, threadLong, niceness, nicenessLong],
] as const
