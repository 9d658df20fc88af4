import type { Metrics } from './metrics.ts'

/** Where background work counts. Names come from the code that counts, never from data. */
export interface Meter {
  count(name: string, by?: number): void
  gauge(name: string, value: number): void
}

export function createMeter(metrics: Pick<Metrics, 'counter' | 'gauge'>): Meter {
  const help = (name: string): string => name.replaceAll('_', ' ')
  return {
    count: (name, by = 1) => metrics.counter({ name, help: help(name) }).add({}, by),
    gauge: (name, value) => metrics.gauge({ name, help: help(name) }).set({}, value),
  }
}
