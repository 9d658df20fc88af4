/** Models with known exact annual loss; values by numerical integration and FFT in another language. */
import type { Distribution, FairModel } from '../src/index.ts'

export const pert = (low: number, mode: number, high: number): Distribution => ({ type: 'pert', low, mode, high })
export const constant = (value: number): Distribution => ({ type: 'constant', value })

const interval: Distribution = { type: 'lognormal_interval', p05: 20_000, p95: 500_000 }

export const modelA: FairModel = {
  nodes: { loss_event_frequency: pert(0.5, 2, 5), loss_magnitude: pert(10_000, 50_000, 300_000) },
}
export const modelB: FairModel = { nodes: { loss_event_frequency: constant(2), loss_magnitude: interval } }
export const modelC: FairModel = { nodes: { loss_event_frequency: constant(0.1), loss_magnitude: interval } }
export const modelD: FairModel = {
  nodes: { loss_event_frequency: constant(3), loss_magnitude: { type: 'exponential', mean: 100_000 } },
}
export const modelF: FairModel = {
  nodes: {
    contact_frequency: pert(10, 24, 60),
    probability_of_action: pert(0.1, 0.25, 0.5),
    threat_capability: pert(0.2, 0.5, 0.9),
    resistance_strength: pert(0.4, 0.6, 0.95),
    primary_loss: pert(5_000, 20_000, 100_000),
    secondary_loss_event_frequency: pert(0.05, 0.2, 0.5),
    secondary_loss_magnitude: pert(10_000, 100_000, 1_000_000),
  },
}

export interface Expected {
  readonly mean: number
  readonly sd: number
  readonly p0: number
  readonly p50?: number
  readonly var95: number
  readonly var99: number
  readonly tvar95: number
}

export const cases: readonly { readonly name: string; readonly model: FairModel; readonly expected: Expected }[] = [
  {
    name: 'A',
    model: modelA,
    expected: {
      mean: 191_250,
      sd: 162_500.69,
      p0: 0.1433829,
      p50: 160_419.1,
      var95: 502_302.6,
      var99: 686_211,
      tvar95: 615_667.8,
    },
  },
  {
    name: 'B',
    model: modelB,
    expected: {
      mean: 322_795.158,
      sd: 368_391.016,
      p0: 0.1353353,
      p50: 216_716.6,
      var95: 1_010_697.5,
      var99: 1_676_933.7,
      tvar95: 1_443_902.3,
    },
  },
  {
    name: 'C',
    model: modelC,
    expected: {
      mean: 16_139.76,
      sd: 82_374.55,
      p0: 0.9048374,
      p50: 0,
      var95: 98_490.9,
      var99: 360_861.6,
      tvar95: 275_330.1,
    },
  },
  {
    name: 'D',
    model: modelD,
    expected: {
      mean: 300_000,
      sd: 244_948.974,
      p0: 0.0497871,
      p50: 248_266.7,
      var95: 772_885.6,
      var99: 1_070_637.6,
      tvar95: 956_857.9,
    },
  },
  {
    name: 'F',
    model: modelF,
    expected: {
      mean: 164_319.86,
      sd: 225_783.84,
      p0: 0.1885871,
      p50: 67_598.8,
      var95: 642_037.2,
      var99: 997_005.3,
      tvar95: 861_090,
    },
  },
]
