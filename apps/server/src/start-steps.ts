/** Tells an operator what a start is doing: each step as it begins, and its duration when it ends. Tested in start-steps.test.ts. */

/** Runs one named step; its result and its errors pass through. */
export type StartStep = <T>(name: string, run: () => Promise<T>) => Promise<T>

export const silentStep: StartStep = (_name, run) => run()

export interface StepOutput {
  readonly write: (text: string) => void
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number
}

/** Prints `name … 1.2 s` for each step; the name appears before the step runs. */
export function printedSteps({ write, now }: StepOutput): StartStep {
  return async (name, run) => {
    write(`${name} … `)
    const began = now()
    const seconds = (): string => `${((now() - began) / 1000).toFixed(1)} s`
    try {
      const result = await run()
      write(`${seconds()}\n`)
      return result
    } catch (error) {
      write(`failed after ${seconds()}\n`)
      throw error
    }
  }
}

/** Steps on standard output. */
export function stepsOnScreen(): StartStep {
  return printedSteps({ write: (text) => void process.stdout.write(text), now: () => performance.now() })
}
