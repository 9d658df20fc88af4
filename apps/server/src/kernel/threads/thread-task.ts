/**
 * The form of work for the processor that may run outside the main thread. A task is a pure function of plain data, so
 * the same declaration also runs in place, for inputs too small to be worth a journey.
 */
export interface ThreadTask<I, O> {
  /** `<area>.<what>`, unique. Threads find the task by it. */
  readonly name: string
  /** Input and output travel by structured clone: plain data, no functions. */
  readonly run: (input: I, work: ThreadWork) => O
}

export interface ThreadWork {
  /** True once nobody waits for the result. Long loops ask now and then and return; one that does not costs its thread. */
  stopped(): boolean
}

/** A task of unknown input and output, as lists hold it. */
export type AnyThreadTask = ThreadTask<never, unknown>

/** What the main thread sends: one task at a time. */
export interface ThreadOrder {
  readonly name: string
  readonly input: unknown
}

export type ThreadReport =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly error: unknown }

/** What a thread is started with. */
export interface ThreadStart {
  /** URL of the file that serves the tasks. */
  readonly entry: string
  /** One 32-bit number, shared: 1 asks the running task to stop. */
  readonly stop: SharedArrayBuffer
}
