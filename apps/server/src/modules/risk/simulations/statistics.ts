/** Statistics of a simulation in the words of the API. Pure. */
import type { LossSummary, SobolIndex, TornadoBar } from '@parapet/quant'
import type { SimulatedResult } from '../fair/result-schema.ts'
import type { Sensitivity } from './schema.ts'

export function statisticsOf(summary: LossSummary): SimulatedResult {
  const { years, mean, sd, largest } = summary
  return {
    engine: 'monte_carlo',
    years,
    mean,
    standard_error: summary.standardError,
    sd,
    no_loss: summary.noLoss,
    largest,
    quantiles: summary.quantiles.map(({ p, value, interval }) => ({ p, value, interval: { ...interval } })),
    tails: summary.tails.map((tail) => ({
      level: tail.level,
      var: tail.var,
      tvar: tail.tvar,
      interval: { ...tail.interval },
      tvar_standard_error: tail.tvarStandardError,
    })),
    lec: summary.curve.map(({ loss, probability, band }) => ({ loss, probability, band: { ...band } })),
    histogram: summary.histogram.map((bin) => ({ from: bin.from, to: bin.to, share: bin.years / years })),
    trace: summary.trace.map((point) => ({
      years: point.years,
      mean: point.mean,
      standard_error: point.standardError,
    })),
  }
}

export const tailAt = ({ tails }: Pick<SimulatedResult, 'tails'>, level: number) =>
  tails.find((tail) => tail.level === level)

export const barsOf = (bars: readonly TornadoBar[]): Sensitivity['tornado_mean'] =>
  bars.map(({ pointer, low, high, atLow, atHigh }) => ({ pointer, low, high, at_low: atLow, at_high: atHigh }))

export const indicesOf = (indices: readonly SobolIndex[]): Sensitivity['sobol'] =>
  indices.map(({ pointer, first, firstStandardError, total, totalStandardError }) => ({
    pointer,
    first,
    first_standard_error: firstStandardError,
    total,
    total_standard_error: totalStandardError,
  }))
