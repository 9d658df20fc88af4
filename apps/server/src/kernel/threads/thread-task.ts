import type { ThreadLane } from '../base/lane.ts'

/**
 * The form of work for the processor that may run outside the main thread. A task is a pure function of plain data, so
 * the same declaration also runs in place, for inputs too small to be worth a journey.
 */
export interface ThreadTask<I, O> {
  /** `<area>.<what>`, unique. Threads find the task by it. */
  readonly name: string
  /** Default `quick`. A task of jobs that runs longer than a second is `long` and never takes a thread of quick ones. */
  readonly lane?: ThreadLane
  /** Input and output travel by structured clone: plain data, no functions. */
  readonly run: (input: I, work: ThreadWork) => O
  /** Buffers of the output that move instead of being copied. Default: none. */
  transfer?(output: O): readonly ArrayBuffer[]
}

export interface ThreadWork {
  /** True once no caller waits for the result. Long loops check it and return; one that does not costs its thread. */
  stopped(): boolean
  /** Tells how much is done, 0 to 1. Costs next to nothing between two reports, of which two a second leave the thread. */
  progress(fraction: number): void
}

/** For a task that runs where its caller does. */
export const inPlace: ThreadWork = { stopped: () => false, progress: () => undefined }

/** A task of unknown input and output, as lists hold it. */
export type AnyThreadTask = ThreadTask<never, unknown>

/** Message of the main thread: one task at a time. */
export interface ThreadOrder {
  readonly name: string
  readonly input: unknown
}

export type ThreadReport =
  | { readonly kind: 'done'; readonly output: unknown }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'progress'; readonly fraction: number }

/** Start data of a thread. */
export interface ThreadStart {
  /** URL of the file that serves the tasks. */
  readonly entry: string
  /** One 32-bit number, shared: 1 asks the running task to stop. */
  readonly stop: SharedArrayBuffer
  readonly lane: ThreadLane
}
