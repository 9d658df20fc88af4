/** Receives the results of a run. All times count from the start of the run, in the unit of the model. */
export interface OutageRecorder {
  /** A service was down from `start` to `end`; `finished` is false where the horizon cut the outage off. */
  readonly outage: (service: number, start: number, end: number, finished: boolean) => void
  /** A service was up, but at least one soft dependency was down. */
  readonly degraded: (service: number, start: number, end: number) => void
  /** A service was restored from a copy: the time whose changes were lost. */
  readonly dataLoss: (service: number, loss: number) => void
}

/** Records nothing. */
export const silentRecorder: OutageRecorder = { outage: () => {}, degraded: () => {}, dataLoss: () => {} }
